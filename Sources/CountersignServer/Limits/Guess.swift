internal import FoundationEssentialsCompat

/// An attempt at a password or a code.
///
/// It counts for the account and for the network. A known browser and a known network of the person have separate
/// counts, which guesses of strangers do not affect.
struct Guess: Sendable {
    /// The limit for attempts from networks that the account does not know.
    let rule: LimitRule
    /// The name of the account or code; an unknown one counts like any other.
    let name: String
    /// The person of the account; `nil` for an unknown name.
    var subject: Subject?
    /// The known browser of the person; `nil` for any other.
    var browser: KnownBrowser?
    /// The network address of the attempt; `nil` where it cannot be seen.
    let address: String?
    /// Whether a site asserted the address, which then counts for that site alone.
    var isAddressAsserted = false

    /// The keys that count it.
    func rateKeys(in repositories: any Repositories, at now: Date) throws -> [RateLimitKey] {
        if let browser {
            return [RateLimitKey(rule: .guessPerAddress, whom: "browser \(browser.nonce)", subject: subject)]
        }
        if let subject, try VisitHistory(repositories).isKnown(subject, at: address, asOf: now) {
            return [.name(name, at: address, .guessPerAddress)]
        }
        let perNetwork: RateLimitKey =
            isAddressAsserted
            ? .name(name, at: address, .guessPerAddress)
            : .address(.guessPerAddress, address).sparing("\(CountedAddress.text(of: address)) \(name)")
        var perAccount: RateLimitKey = .name(name, rule)
        // The audit names a person for codes only where that person guesses, whom an operator may lock.
        if rule == .passwordPerAccount { perAccount.subject = subject }
        return [perNetwork, perAccount]
    }
}
