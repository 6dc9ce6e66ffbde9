internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The cookie of a browser where a person has signed in before, so that guesses of strangers do not lock them out
/// there.
///
/// It proves only that, and signs no person in. Guesses in that browser are counted separately; once they are used up,
/// the browser is like any other. It does not reveal the person: the server can only check it against a person it
/// knows. A browser that several people use has an entry for each, the last person's first.
/// Standard: OWASP, Blocking Brute Force Attacks, device cookies.
struct KnownBrowserCookie: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }

    /// The time that a browser is known after a sign-in, in seconds: a year.
    static let lifetime: TimeInterval = 365 * 86_400
    /// The maximum number of people that a browser is known for; those who signed in last.
    static let mostPeople = 4

    /// The most bytes of an entry: when it was given, a nonce, when the person signed in there first, and the code of
    /// all three.
    fileprivate static let longestEntry = 108
    private static let separator: Character = "~"

    fileprivate init(_ entries: some Sequence<Substring>) {
        revealed = entries.joined(separator: String(Self.separator))
    }

    /// The entries that may be good.
    fileprivate var entries: [Substring] {
        let longest = Self.mostPeople * (Self.longestEntry + 1)
        guard revealed.utf8.count <= longest else { return [] }
        return revealed.split(separator: Self.separator).prefix(Self.mostPeople)
            .filter { $0.utf8.count <= Self.longestEntry }
    }
}

/// A browser that is known to have been one person's.
struct KnownBrowser: Sendable, Equatable {
    /// The name that its guesses are counted under.
    let nonce: String
    /// The person's last sign-in there.
    let since: Date
    /// Their first sign-in there, as far as it is known.
    let first: Date
}

extension Keys {
    /// A cookie for a browser where a person has just signed in.
    ///
    /// - Parameters:
    ///   - nonce: A new one.
    ///   - before: The cookie that the browser has; those of other people in it stay good.
    func knownBrowserCookie(
        for subject: Subject,
        _ nonce: String,
        beside before: KnownBrowserCookie?,
        at now: Date
    ) -> KnownBrowserCookie {
        let first = before.flatMap { knownBrowser(presenting: $0, as: subject, at: now) }?.first ?? now
        let stamp = "\(now.numericDate).\(nonce).\(first.numericDate)"
        let own = "\(stamp).\(code(of: stamp, for: subject))"
        let others = before?.entries.filter { knownBrowser(by: $0, as: subject, at: now) == nil } ?? []
        return KnownBrowserCookie(([own[...]] + others).prefix(KnownBrowserCookie.mostPeople))
    }

    /// The browser that sent a cookie; `nil` when it was not given to this person, or too long ago.
    func knownBrowser(presenting cookie: KnownBrowserCookie, as subject: Subject, at now: Date) -> KnownBrowser? {
        cookie.entries.lazy.compactMap { knownBrowser(by: $0, as: subject, at: now) }.first
    }

    private func knownBrowser(by entry: Substring, as subject: Subject, at now: Date) -> KnownBrowser? {
        let parts = entry.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Older entries do not say when the person signed in first.
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
