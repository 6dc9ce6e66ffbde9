internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The one-time password of a request, which the device shows and the person types where they started.
public struct RequestPassword: Sendable, Equatable, Codable {
    /// The maximum number of misses; with the last miss the request ends.
    public static let tries = 5

    private let code: DigitsCode
    /// The password, sealed under a key of the server, for the device that shows it; as data, whose JSON is one text.
    private let sealed: Data
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
        keys.seal.opened(Array(sealed), for: .password(of: request)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Compares what a person typed, and counts a miss.
    ///
    /// - Parameter typed: The code of what was typed; `nil` when nothing was, which is no try.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }
}

extension CustomerSiteTerms {
    /// The one-time password in the clear; `nil` for a request to approve, and for a password that was sealed under a
    /// key that was replaced.
    func revealedPassword(of request: SignInRequest.ID, with keys: Keys) -> String? {
        switch digits {
        case .number: nil
        case .password(let password): password.revealed(of: request, with: keys)
        }
    }
}
