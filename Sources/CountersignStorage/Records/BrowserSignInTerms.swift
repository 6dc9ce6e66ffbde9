/// The terms of a request that a browser asks at a page of this server: for a session of its own, or for a new password
/// of the person who approves.
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

    /// The thing that the browser asks for.
    package enum Purpose: String, Sendable, Codable {
        /// A session of its own.
        case session
        /// To set the password of the person who approves.
        case passwordReset = "password_reset"
    }

    /// The digest of the session cookie of the browser, in base64url.
    private let browser: String
    /// The thing that the browser asks for; `nil` for a session.
    private let asked: Purpose?
    /// The earlier sign-ins in the browser, of several people perhaps.
    package let earlierVisits: [EarlierVisit]

    /// Creates the terms of a new request.
    ///
    /// - Parameters:
    ///   - browser: The session cookie of the browser, as a digest.
    ///   - purpose: The thing that it asks for; a session by default.
    ///   - earlierVisits: The earlier sign-ins in the browser.
    package init(of browser: SecretDigest, for purpose: Purpose = .session, earlierVisits: [EarlierVisit] = []) {
        self.browser = URLSafeText.encode(browser.bytes)
        asked = purpose == .session ? nil : purpose
        self.earlierVisits = earlierVisits
    }

    /// The thing that the browser asks for.
    package var purpose: Purpose { asked ?? .session }

    /// Whether the browser with this session cookie asked.
    package func isAsked(by browser: SecretDigest) -> Bool {
        ConstantTime.areSame(self.browser, URLSafeText.encode(browser.bytes))
    }
}
