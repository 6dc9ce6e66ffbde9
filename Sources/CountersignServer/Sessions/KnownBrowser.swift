internal import Countersign
internal import CountersignWire
internal import Foundation

/// The cookie of a browser in which a person has signed in before, so that guesses of strangers do not lock them out
/// there.
///
/// It proves only that, and signs no person in. Guesses in that browser are counted separately; once they are used up,
/// the browser is like any other. It does not reveal the person: the server can only check it against a person it
/// knows.
/// Standard: OWASP, Blocking Brute Force Attacks, device cookies.
struct KnownBrowserCookie: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }

    /// How long a browser is known after a sign-in, in seconds: a year.
    static let lifetime: TimeInterval = 365 * 86_400
    /// The most bytes that a cookie has: when it was given, a nonce, and the code of both.
    static let longest = 96
}

/// A browser that is known to have been one person's.
struct KnownBrowser: Sendable, Equatable {
    /// Under which its guesses are counted.
    let nonce: String
    /// When the person signed in there.
    let since: Date
}

extension Keys {
    /// A cookie for a browser in which a person has just signed in.
    ///
    /// - Parameter nonce: A new one.
    func knownBrowserCookie(for subject: Subject, _ nonce: String, at now: Date) -> KnownBrowserCookie {
        let stamp = "\(now.numericDate).\(nonce)"
        return KnownBrowserCookie(revealing: "\(stamp).\(code(of: stamp, for: subject))")
    }

    /// The browser that sent a cookie; `nil` when it was not given to this person, or too long ago.
    func knownBrowser(presenting cookie: KnownBrowserCookie, as subject: Subject, at now: Date) -> KnownBrowser? {
        let parts = cookie.revealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard cookie.revealed.utf8.count <= KnownBrowserCookie.longest, parts.count == 3, let seconds = Int(parts[0]),
            ConstantTime.areSame(code(of: "\(parts[0]).\(parts[1])", for: subject), parts[2])
        else { return nil }
        let since = Date(timeIntervalSince1970: Double(seconds))
        guard now < since + KnownBrowserCookie.lifetime else { return nil }
        return KnownBrowser(nonce: parts[1], since: since)
    }

    private func code(of stamp: String, for subject: Subject) -> String {
        authenticationCode(for: "\(subject)\n\(stamp)", use: "a browser that is known")
    }
}
