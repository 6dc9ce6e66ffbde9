internal import Countersign
internal import CountersignWire

extension Repositories {
    /// The record of an access token; `nil` when there is none, or when the token was signed by a key that this server
    /// no longer publishes.
    ///
    /// Every endpoint that accepts access tokens finds them by this function.
    func accessToken(_ token: some Secret, trusting keys: Keys) throws -> AccessTokenRecord? {
        guard keys.trust(token) else { return nil }
        return try accessTokens.find(token.digest)
    }
}
