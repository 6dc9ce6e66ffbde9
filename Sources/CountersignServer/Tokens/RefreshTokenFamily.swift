internal import Countersign

/// The refresh tokens that replace one another, of which one is good.
///
/// Each of them begins with the same 128 random bits, so that the newest one is found by any of them: one row is enough
/// for all, however often a client refreshes, and a token that was replaced is known as such for as long as its family
/// lives.
struct RefreshTokenFamily: Sendable {
    /// 22 characters of base64url.
    private let text: String
    private static let length = 22
    /// The length of a token: the family's characters, and 43 of its own.
    private static let tokenLength = length + 43

    /// A new family.
    init(by mint: CodeMint) {
        text = mint.identifier(Name.self).rawValue
    }

    /// The family of a token; `nil` for text that is none of ours.
    init?(of token: some Secret) {
        guard token.revealed.utf8.count == Self.tokenLength, token.revealed.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        text = String(token.revealed.prefix(Self.length))
    }

    /// What the store knows it by: a stolen database has no part of a token.
    var digest: SecretDigest { SecretDigest(of: text) }

    /// A new token of the family, with 256 random bits of its own.
    func token(by mint: CodeMint) -> RefreshToken {
        RefreshToken(revealing: text + mint.secret(RefreshToken.self).revealed)
    }

    private struct Name: Identifier {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// A family of refresh tokens, found by one of its tokens.
struct FoundRefreshToken {
    /// The newest token of the family.
    var newest: RefreshTokenRecord
    /// Whether that is the one by which it was found; otherwise that one was replaced.
    let isNewest: Bool
}

extension Repositories {
    /// Finds the family of a token, used or not; `nil` when there is none.
    func refreshToken(_ token: some Secret) throws -> FoundRefreshToken? {
        guard let family = RefreshTokenFamily(of: token), let newest = try refreshTokens.find(family.digest) else {
            return nil
        }
        return FoundRefreshToken(newest: newest, isNewest: newest.token == token.digest)
    }
}
