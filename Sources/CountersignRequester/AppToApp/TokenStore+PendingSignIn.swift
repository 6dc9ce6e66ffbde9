internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension TokenStoreKey {
    /// The key of a request that waits for its answer: one for each request, by a digest of its state.
    static func pendingSignIn(at provider: String, as client: ClientID, state: AuthorizationState) -> TokenStoreKey {
        TokenStoreKey(.pendingSignIn, provider, client.rawValue, URLSafeText.encode(state.digest.bytes))
    }
}

extension TokenStore {
    /// Keeps a request until it is answered.
    func save(_ pending: PendingSignIn) async throws(TokenStoreError) {
        try await save(json: PendingSignInItem(pending), for: pending.key)
    }

    /// Removes a request that is answered, and returns it, so that of several callers one gets it.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - isAnswered: Whether the answer belongs to the request; if not, the request remains pending.
    /// - Returns: The request; `nil` when there is none, or it is unanswered.
    func takePendingSignIn(
        for key: TokenStoreKey,
        where isAnswered: @Sendable (PendingSignIn) -> Bool
    ) async throws -> PendingSignIn? {
        try await exclusively(for: key) {
            guard let item = try await load(key) else { return nil }
            let pending = try? JSONDecoder().decode(PendingSignInItem.self, from: Data(item)).pending
            if let pending, !isAnswered(pending) { return nil }
            // An unreadable request is removed: the person starts again.
            try await remove(key)
            return pending
        }
    }

    /// The requests of an app at a provider that wait for their answer; what cannot be read any more is removed.
    func pendingSignIns(at provider: String, as client: ClientID) async throws(TokenStoreError) -> [PendingSignIn] {
        var all: [PendingSignIn] = []
        for key in try await keys() where key.kind == .pendingSignIn && key.names.count == 3 {
            guard key.names[0] == provider, key.names[1] == client.rawValue, let item = try await load(key) else {
                continue
            }
            if let kept = try? JSONDecoder().decode(PendingSignInItem.self, from: Data(item)) {
                all.append(kept.pending)
            } else {
                try await remove(key)
            }
        }
        return all.sorted { $0.deadline < $1.deadline }
    }
}

/// A stored request: no other form encodes its secrets.
private struct PendingSignInItem: Codable {
    let provider: String
    let issuer: String
    let namesIssuer: Bool
    let client: ClientID
    let redirectURI: String
    let scope: String
    let state: String
    let verifier: String
    let nonce: String?
    /// The private key in base64url; left out for bearer tokens.
    let tokenKey: String?
    /// Seconds since 1970.
    let deadline: Double

    init(_ pending: PendingSignIn) {
        provider = pending.provider
        issuer = pending.issuer
        namesIssuer = pending.namesIssuer
        client = pending.client
        redirectURI = pending.redirectURI
        scope = pending.scope.description
        state = pending.state.revealed
        verifier = pending.verifier.revealed
        nonce = pending.nonce?.revealed
        tokenKey = pending.tokenKey?.kept
        deadline = pending.deadline.timeIntervalSince1970
    }

    var pending: PendingSignIn {
        PendingSignIn(
            provider: provider,
            issuer: issuer,
            namesIssuer: namesIssuer,
            client: client,
            redirectURI: redirectURI,
            scope: Scope(parsing: scope) ?? .none,
            state: AuthorizationState(revealing: state),
            verifier: CodeVerifier(revealing: verifier),
            nonce: nonce.map(PendingSignIn.Nonce.init(revealing:)),
            tokenKey: tokenKey.flatMap(DPoPKey.init(kept:)),
            deadline: Date(timeIntervalSince1970: deadline)
        )
    }
}
