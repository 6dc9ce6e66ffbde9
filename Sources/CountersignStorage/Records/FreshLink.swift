internal import Crypto
package import FoundationEssentialsCompat

/// The link of a request with a new mark each minute.
///
/// The mark is a code over the minute since the start of the request, under a secret key that is stored with the
/// request, so the requester cannot compute it in advance. It is valid for its minute and the next one.
package struct FreshLink: Sendable, Equatable, Codable {
    /// The time between two marks, in seconds.
    package static let period: TimeInterval = 60
    private static let markBytes = 12

    private let seed: String
    /// The beginning of the first minute, in seconds since 1970.
    private let began: Int

    /// Creates the link of a request that starts now.
    ///
    /// - Parameter secret: At least 16 new random bytes.
    package init(keyedBy secret: [UInt8], from now: Date) {
        seed = URLSafeText.encode(secret)
        began = now.numericDate
    }

    /// The current mark of the link.
    package func mark(at now: Date) -> LinkMark { mark(of: minute(at: now)) }

    /// The time of the next mark.
    package func next(after now: Date) -> Date {
        Date(named: began) + Double(minute(at: now) + 1) * Self.period
    }

    /// Whether a mark is that of this minute or the previous one.
    package func accepts(_ text: String, at now: Date) -> Bool {
        let minute = minute(at: now)
        let isNewest = ConstantTime.areSame(mark(of: minute).rawValue, text)
        let isLast = minute > 0 && ConstantTime.areSame(mark(of: minute - 1).rawValue, text)
        return isNewest || isLast
    }

    /// The code that a browser stores after it opened a valid link, since the sign-in may outlast the mark.
    package var arrival: String { code(for: "arrived", bytes: 16) }

    private func minute(at now: Date) -> Int {
        max(0, Int(((now.timeIntervalSince1970 - Double(began)) / Self.period).rounded(.down)))
    }

    private func mark(of minute: Int) -> LinkMark {
        LinkMark(rawValue: code(for: "minute \(minute)", bytes: Self.markBytes))
    }

    private func code(for text: String, bytes count: Int) -> String {
        let key = SymmetricKey(data: Array(seed.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return URLSafeText.encode(Array(code.prefix(count)))
    }
}

/// The values that a screen shows with the code while its request is pending.
package struct PendingScreen: Sendable, Equatable {
    /// The number to match after a link was opened; `nil` for none.
    package var number: VerificationNumber?
    /// The current mark of the link; `nil` for a constant link.
    package var link: LinkMark?

    package init(number: VerificationNumber? = nil, link: LinkMark? = nil) {
        self.number = number
        self.link = link
    }
}
