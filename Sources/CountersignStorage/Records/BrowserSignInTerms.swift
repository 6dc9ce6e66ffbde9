/// The terms of a request that a browser asks at this server's sign-in page, for a session of its own.
public struct BrowserSignInTerms: Sendable, Equatable, Codable {
    /// An entry of the browser's cookie of earlier sign-ins. It can be verified for a person, and is no cookie.
    package struct EarlierVisit: Sendable, Equatable, Codable {
        /// The entry without its code.
        package let stamp: String
        /// The digest of its code, in base64url.
        package let code: String

        /// Creates an entry.
        package init(stamp: String, code: SecretDigest) {
            self.stamp = stamp
            self.code = URLSafeText.encode(code.bytes)
        }

        /// Whether the entry has this code.
        package func has(_ code: String) -> Bool {
            ConstantTime.areSame(self.code, URLSafeText.encode(SecretDigest(of: code).bytes))
        }
    }

    /// The digest of the session cookie of the browser, in base64url.
    private let browser: String
    /// The earlier sign-ins in the browser, of several people perhaps.
    package let earlierVisits: [EarlierVisit]
    /// The session that the approver allows; `nil` before an approval.
    public package(set) var session: ApprovedSession?

    /// Creates the terms of a new request.
    ///
    /// - Parameters:
    ///   - browser: The session cookie of the browser, as a digest.
    ///   - earlierVisits: The earlier sign-ins in the browser.
    package init(of browser: SecretDigest, earlierVisits: [EarlierVisit] = []) {
        self.browser = URLSafeText.encode(browser.bytes)
        self.earlierVisits = earlierVisits
    }

    /// Whether the browser with this session cookie asked.
    package func isAsked(by browser: SecretDigest) -> Bool {
        ConstantTime.areSame(self.browser, URLSafeText.encode(browser.bytes))
    }
}

/// The time of a browser session, as its approver chose it.
public enum SessionTerm: String, Sendable, Hashable, Codable, CaseIterable {
    /// The browser is the person's own: the session has the lifetime of all browser sessions.
    case own
    /// The browser is not the person's own: the session ends after 15 minutes.
    case quarterHour = "15m"
    /// The same after an hour.
    case hour = "1h"
    /// The same after 8 hours.
    case workday = "8h"

    /// The term where the approver chose none, in a browser that they have not used before: ``hour``.
    public static let standard = SessionTerm.hour

    /// The lifetime of the session in seconds; `nil` for that of all browser sessions.
    public var lifetime: Double? {
        switch self {
        case .own: nil
        case .quarterHour: 900
        case .hour: 3600
        case .workday: 28_800
        }
    }
}
