internal import FoundationEssentialsCompat

/// The instant at the beginning of a time-ordered secret or identifier: milliseconds since 1970, 48 bits, the most
/// significant first.
///
/// Standard: RFC 9562 §5.7 (the same instant begins a UUID of version 7), §6.2.
struct MintingInstant: Sendable {
    static let length = 6
    /// The number of their characters in base64url; no bit is left over.
    private static let encodedLength = 8
    /// The number of characters of a minted secret.
    private static let secretLength = 43
    /// The number of digits of ``text``, until the year 3084.
    private static let digits = 9
    private static let greatest: Int64 = 1 << 48 - 1

    private let milliseconds: Int64

    /// An instant before 1970 counts as 1970.
    init(_ date: Date) {
        milliseconds = Int64(max(0, min((date.timeIntervalSince1970 * 1_000).rounded(), Double(Self.greatest))))
    }

    var bytes: [UInt8] {
        (0..<Self.length).map { UInt8(truncatingIfNeeded: milliseconds >> (8 * (Self.length - 1 - $0))) }
    }

    /// At least nine of the characters `0-9 a-v`: texts of one length sort as the instants do.
    var text: String {
        let digits = String(milliseconds, radix: 32)
        return String(repeating: "0", count: max(0, Self.digits - digits.utf8.count)) + digits
    }
}

// The text may be forged, so the instant only hints at where a row is stored.
extension MintingInstant {
    /// The bytes of the instant at the beginning of a secret; `nil` for text that no mint made.
    static func bytes(ofSecret text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count == secretLength else { return nil }
        return URLSafeText.decode(UnsafeBufferPointer(rebasing: text.prefix(encodedLength)))
    }

    /// The instant at the beginning of a JWT's identifier; `nil` for other text, or an identifier that no mint made.
    ///
    /// Standard: RFC 7519 §4.1.7 (`jti`).
    init?(ofJWT text: UnsafeBufferPointer<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = URLSafeText.decode(UnsafeBufferPointer(rebasing: parts[1])) else {
            return nil
        }
        let name = Array("\"jti\":\"".utf8)
        let found = payload.indices.first { payload[$0] == name[0] && payload[$0...].starts(with: name) }
        guard let found else { return nil }
        let digits = payload[(found + name.count)...].prefix(Self.digits)
        let isMinted = digits.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "v")).contains($0)
        }
        guard isMinted, digits.count == Self.digits,
            let milliseconds = Int64(String(decoding: digits, as: UTF8.self), radix: 32)
        else { return nil }
        self.milliseconds = milliseconds
    }
}
