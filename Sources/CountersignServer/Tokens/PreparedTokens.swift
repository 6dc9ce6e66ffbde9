internal import Countersign
internal import FoundationEssentialsCompat

/// Tokens that were made but are not valid yet.
struct PreparedTokens: Sendable {
    /// The whole answer for the client, as JSON.
    let answer: [UInt8]
    let access: AccessTokenRecord
    let refresh: RefreshTokenRecord?
    /// Whether the refresh token takes the place of an earlier one of its family.
    var replacesRefreshToken = false
    let made: Date

    /// The end of the last of the tokens.
    var ends: Date { max(access.expires, refresh?.expires ?? access.expires) }

    /// Stores the tokens, which makes them valid, as part of a change.
    func record(in repositories: any Repositories) throws {
        try repositories.accessTokens.insert(access)
        guard let refresh else { return }
        if replacesRefreshToken {
            try repositories.refreshTokens.update(refresh)
        } else {
            try repositories.refreshTokens.insert(refresh)
        }
    }
}
