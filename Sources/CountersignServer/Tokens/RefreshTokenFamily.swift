internal import Countersign

/// The refresh tokens that replace one another. Only the newest is valid.
///
/// Each of them begins with the same name, so that the newest one is found by any of them: one row is enough for all,
/// however often a client refreshes, and a token that was replaced is known as such for as long as its family lives.
struct RefreshTokenFamily: Sendable {
    private let name: Name
    /// The length of a name.
    private static let length = 43
    /// The length of a token: the name, and as much of its own.
    private static let tokenLength = 2 * length

    /// A new family.
    init(by mint: CodeMint) {
        name = mint.secret()
    }

    /// The family of a token; `nil` for text that is none of ours.
    init?(of token: RefreshToken) {
        guard token.revealed.utf8.count == Self.tokenLength, token.revealed.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        name = Name(revealing: String(token.revealed.prefix(Self.length)))
    }

    /// The digest stored for the family. It reveals only the instant of the sign-in.
    var digest: SecretDigest { name.digest }

    /// A new token of the family, with 256 random bits of its own.
    func token(by mint: CodeMint) -> RefreshToken {
        RefreshToken(revealing: name.revealed + mint.secret(RefreshToken.self).revealed)
    }

    private struct Name: TimeOrderedSecret {
        let revealed: String
        init(revealing text: String) { revealed = text }
    }
}

/// A family of refresh tokens, found by one of its tokens.
struct RefreshTokenMatch {
    /// The newest token of the family.
    var newest: RefreshTokenRecord
    /// Whether the family was found by that one; otherwise the token that found it was replaced.
    let isNewest: Bool
}
