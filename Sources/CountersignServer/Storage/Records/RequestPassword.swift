internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The one-time password of a request, which the device shows and the person types where they started.
public struct RequestPassword: Sendable, Equatable {
    /// The maximum number of misses; with the last miss the request ends.
    public static let tries = 5

    private let code: DigitsCode
    /// The password, sealed under a key of the server, for the device that shows it.
    public let sealed: [UInt8]
    /// The number of misses.
    public private(set) var misses = 0

    /// A password of one request.
    ///
    /// - Parameters:
    ///   - code: The code of its digits for this request.
    ///   - sealed: The password, sealed.
    package init(_ code: DigitsCode, sealed: [UInt8]) {
        self.code = code
        self.sealed = sealed
    }

    /// A password of one request.
    ///
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    init(_ password: String, of request: SignInRequest.ID, under keys: Keys) throws {
        self.init(
            DigitsCode(of: password, for: request, under: keys),
            sealed: try keys.seal.sealed(Array(password.utf8), for: .password(of: request))
        )
    }

    /// The password in the clear; `nil` when it was sealed under a key that was replaced.
    func revealed(of request: SignInRequest.ID, with keys: Keys) -> String? {
        keys.seal.opened(sealed, for: .password(of: request)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Compares what a person typed, and counts a miss.
    ///
    /// - Parameter typed: The code of what was typed; `nil` when nothing was, which is no try.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }
}

extension RequestPassword: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, sealed, misses
    }

    /// Reads a password as it is stored: what is sealed as one text, since a list of numbers takes long to read.
    ///
    /// - Parameter decoder: The decoder that holds it.
    /// - Throws: `DecodingError` for another form.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        code = try members.decode(DigitsCode.self, forKey: .code)
        sealed = Array(try members.decode(Data.self, forKey: .sealed))
        misses = try members.decode(Int.self, forKey: .misses)
    }

    /// Writes it in that form.
    ///
    /// - Parameter encoder: The encoder that it is written to.
    /// - Throws: `EncodingError`, which does not happen.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(code, forKey: .code)
        try members.encode(Data(sealed), forKey: .sealed)
        try members.encode(misses, forKey: .misses)
    }
}
