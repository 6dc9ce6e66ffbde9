internal import Countersign
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The one-time password of a request, which the device shows and the person types where they started.
public struct RequestPassword: Sendable, Equatable, Codable {
    /// The maximum number of misses; with the last miss the request ends.
    public static let tries = 5

    private let code: DigitsCode
    /// The password, sealed under a key of the server, for the device that shows it; as data, whose JSON is one text.
    package let sealed: Data
    /// The number of misses.
    public private(set) var misses = 0

    /// A password of one request.
    ///
    /// - Parameters:
    ///   - code: The code of its digits for this request.
    ///   - sealed: The password, sealed.
    package init(_ code: DigitsCode, sealed: [UInt8]) {
        self.code = code
        self.sealed = Data(sealed)
    }

    /// Compares what a person typed, and counts a miss.
    ///
    /// - Parameter typed: The code of what was typed; `nil` when nothing was, which is no try.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }
}
