package import Countersign
internal import Crypto
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The link of a request whose screen shows a new one each minute.
///
/// A mark in the link follows from the minute of the request's life and from a key that is stored with the request and
/// kept secret, so the requester cannot compute a mark before its minute. A mark counts for its own minute and the next
/// one. Minutes are counted from the start of the request, so that screens do not all ask at once.
package struct FreshLink: Sendable, Equatable, Codable {
    /// The time that a mark stays the newest one, in seconds.
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

    /// The mark of the link that the screen shows now.
    package func mark(at now: Date) -> LinkMark { mark(of: minute(at: now)) }

    /// The time when the screen has to show the next link.
    package func next(after now: Date) -> Date {
        Date(named: began) + Double(minute(at: now) + 1) * Self.period
    }

    /// Whether a presented mark is that of this minute or of the one before.
    package func accepts(_ text: String, at now: Date) -> Bool {
        let minute = minute(at: now)
        let isNewest = ConstantTime.areSame(mark(of: minute).rawValue, text)
        let isLast = minute > 0 && ConstantTime.areSame(mark(of: minute - 1).rawValue, text)
        return isNewest || isLast
    }

    /// The code that a browser keeps once it opened the link while its mark counted: signing in may take longer than
    /// that.
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

/// The values that a screen has to show beside the code while its request is pending.
package struct PendingScreen: Sendable, Equatable {
    /// The number for the person who took the request by a link; `nil` for none.
    package var number: VerificationNumber?
    /// The newest mark of the link; `nil` where it does not change.
    package var link: LinkMark?

    package init(number: VerificationNumber? = nil, link: LinkMark? = nil) {
        self.number = number
        self.link = link
    }
}
