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
