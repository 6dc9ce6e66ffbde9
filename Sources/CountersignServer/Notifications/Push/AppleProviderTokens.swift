internal import Crypto
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// The token that authenticates a provider of messages to a push service.
struct PushProviderToken: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }
}

/// The provider tokens of one key. Apple refuses tokens older than an hour, and new ones within 20 minutes.
final class AppleProviderTokens: Sendable {
    /// The lifetime of a token, in seconds.
    static let lifetime: TimeInterval = 50 * 60
    /// The minimum interval between new tokens, in seconds.
    static let shortest: TimeInterval = 20 * 60

    private struct State {
        var token: PushProviderToken?
        var made = Date.distantPast
        /// The time of the last replacement of a refused token.
        var replaced = Date.distantPast
    }

    private let key: P256.Signing.PrivateKey
    private let id: String
    private let team: String
    private let clock: TimeSource
    private let state = NIOLockedValueBox(State())

    init(key: P256.Signing.PrivateKey, id: String, team: String, clock: TimeSource) {
        self.key = key
        self.id = id
        self.team = team
        self.clock = clock
    }

    /// The current token.
    func current() -> PushProviderToken {
        let now = clock.now()
        return state.withLockedValue { state in
            if let token = state.token, abs(now.timeIntervalSince(state.made)) < Self.lifetime { return token }
            return make(in: &state, at: now)
        }
    }

    /// A new token in place of one that was refused as expired; `nil` when the last replacement is too recent.
    func replacing(_ refused: PushProviderToken) -> PushProviderToken? {
        let now = clock.now()
        return state.withLockedValue { state in
            // Another message replaced it meanwhile.
            if let token = state.token, token != refused { return token }
            guard abs(now.timeIntervalSince(state.replaced)) >= Self.shortest else { return nil }
            state.replaced = now
            return make(in: &state, at: now)
        }
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int
    }

    private func make(in state: inout State, at now: Date) -> PushProviderToken {
        let header = CompactJWS.Header(algorithm: "ES256", keyID: JSONWebKey.ID(id))
        let claims = Claims(iss: team, iat: Int(now.timeIntervalSince1970))
        let text = try? CompactJWS.text(
            header: Array(JSONEncoder.wire.encode(header)),
            payload: Array(JSONEncoder.wire.encode(claims)),
            signedBy: { try Array(key.signature(for: $0).rawRepresentation) }
        )
        // Signing with a key in memory does not fail; Apple would refuse an empty token.
        let token = PushProviderToken(revealing: text ?? "")
        state.token = token
        state.made = now
        return token
    }
}
