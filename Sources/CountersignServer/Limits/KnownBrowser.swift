internal import FoundationEssentialsCompat

/// The cookie of a browser with earlier sign-ins, so that guesses of strangers do not lock its people out.
///
/// It signs no person in. Guesses in that browser have a separate limit. The cookie does not reveal the person: the
/// server can only verify it for a given person. It has an entry for each person, the last one first.
/// Standard: OWASP, Blocking Brute Force Attacks, device cookies.
struct KnownBrowserCookie: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }

    /// The lifetime of an entry, in seconds: a year.
    static let lifetime: TimeInterval = 365 * 86_400
    /// The maximum number of entries.
    static let mostPeople = 4

    /// The maximum length of an entry in bytes: the time, a nonce, the time of the first sign-in, and the code over
    /// them.
    fileprivate static let longestEntry = 108
    private static let separator: Character = "~"

    fileprivate init(_ entries: some Sequence<Substring>) {
        revealed = entries.joined(separator: String(Self.separator))
    }

    /// The entries for a request to store: each can be verified for a person, and is no cookie.
    var visits: [BrowserSignInTerms.EarlierVisit] {
        entries.compactMap { entry in
            let parts = entry.split(separator: ".", omittingEmptySubsequences: false)
            guard let code = parts.last else { return nil }
            return BrowserSignInTerms.EarlierVisit(
                stamp: parts.dropLast().joined(separator: "."), code: SecretDigest(of: String(code)))
        }
    }

    /// The entries of plausible length.
    fileprivate var entries: [Substring] {
        let longest = Self.mostPeople * (Self.longestEntry + 1)
        guard revealed.utf8.count <= longest else { return [] }
        return revealed.split(separator: Self.separator).prefix(Self.mostPeople)
            .filter { $0.utf8.count <= Self.longestEntry }
    }
}

/// A known browser of a person.
struct KnownBrowser: Sendable, Equatable {
    /// The key of its count of guesses.
    let nonce: String
    /// The person's last sign-in there.
    let since: Date
    /// Their first sign-in there, if it is known.
    let first: Date
}

extension Keys {
    /// The cookie for a browser after a sign-in.
    ///
    /// - Parameters:
    ///   - nonce: A new random text.
    ///   - before: The previous cookie, whose entries of other people are kept.
    func knownBrowserCookie(
        for subject: Subject, _ nonce: String, replacing before: KnownBrowserCookie?, at now: Date
    ) -> KnownBrowserCookie {
        let first = before.flatMap { knownBrowser(presenting: $0, as: subject, at: now) }?.first ?? now
        let stamp = "\(now.numericDate).\(nonce).\(first.numericDate)"
        let own = "\(stamp).\(code(of: stamp, for: subject))"
        let others = before?.entries.filter { knownBrowser(by: $0, as: subject, at: now) == nil } ?? []
        return KnownBrowserCookie(([own[...]] + others).prefix(KnownBrowserCookie.mostPeople))
    }

    /// The known browser of a cookie; `nil` without a valid entry of this person.
    func knownBrowser(presenting cookie: KnownBrowserCookie, as subject: Subject, at now: Date) -> KnownBrowser? {
        cookie.entries.lazy.compactMap { knownBrowser(by: $0, as: subject, at: now) }.first
    }

    /// Whether one of these entries is of an earlier sign-in of a person.
    func isKnown(_ subject: Subject, by visits: [BrowserSignInTerms.EarlierVisit]) -> Bool {
        visits.contains { $0.has(code(of: $0.stamp, for: subject)) }
    }

    private func knownBrowser(by entry: Substring, as subject: Subject, at now: Date) -> KnownBrowser? {
        let parts = entry.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Older entries have no first sign-in.
        guard (3...4).contains(parts.count), let seconds = Int(parts[0]),
            let code = parts.last,
            ConstantTime.areSame(self.code(of: parts.dropLast().joined(separator: "."), for: subject), code)
        else { return nil }
        let since = Date(named: seconds)
        guard now < since + KnownBrowserCookie.lifetime else { return nil }
        let first = parts.count == 4 ? Int(parts[2]).map { Date(named: $0) } : nil
        return KnownBrowser(nonce: parts[1], since: since, first: first ?? since)
    }

    private func code(of stamp: String, for subject: Subject) -> String {
        authenticationCode(for: "\(subject)\n\(stamp)", use: "a browser that is known")
    }
}
