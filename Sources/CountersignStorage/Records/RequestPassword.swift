package import FoundationEssentialsCompat

/// The one-time password of a request, which the device shows and the person types at the site.
public struct RequestPassword: Sendable, Equatable, Codable {
    /// The maximum number of misses; the last miss ends the request.
    public static let tries = 5

    private let code: DigitsCode
    /// The password, sealed under a key of the server; `Data`, so that its JSON is one string.
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

    /// Compares typed digits, and counts a miss.
    ///
    /// - Parameter typed: The code of the typed digits; `nil` for an empty field, which is no attempt.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }
}
