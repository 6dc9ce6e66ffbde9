#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The instant with which a time-ordered secret or identifier begins: milliseconds since 1970, 48 bits, the most
/// significant first.
///
/// Standard: RFC 9562 §5.7 (the same instant begins a UUID of version 7), §6.2.
struct MintingInstant: Sendable {
    /// How many bytes it takes.
    static let length = 6
    /// How many characters of base64url those take; no bit is left over.
    static let encodedLength = 8
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
        return String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    }
}
