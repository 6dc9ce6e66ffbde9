internal import Countersign
internal import CountersignWire

extension Repositories {
    /// The record of an access token; `nil` when there is none, or when the token was signed by a key that this server
    /// no longer publishes.
    ///
    /// Only introspection asks for a token without using it; others present it, see ``PresentedAccessToken``.
    func accessToken(_ token: some Secret, trusting keys: Keys) throws -> AccessTokenRecord? {
        guard keys.trust(token) else { return nil }
        return try accessTokens.find(token.digest)
    }
}
