internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An attempt at something of a person that can be guessed: a password, or a code.
///
/// It counts against what is guessed and who guesses. A browser where the person signed in before, and a network that
/// they used before, count for themselves: whatever strangers guess elsewhere delays nobody there.
struct Guess: Sendable {
    /// The limit for attempts from networks that the account does not know.
    let rule: LimitRule
    /// The name of what is guessed; a name that nobody has counts like any other.
    let name: String
    /// The person whose secret is guessed; `nil` for a name that nobody has.
    var subject: Subject?
    /// The browser, if the person signed in there before; `nil` for every other.
    var browser: KnownBrowser?
    /// The network address of the one who guesses; `nil` where it cannot be seen.
    let address: String?
    /// Whether a site says what the address is, so that it counts for that site alone.
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
        return [perNetwork, .name(name, rule)]
    }
}
