internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A request that was sent through another app or the browser, and not answered yet.
///
/// It is stored before anything is opened, since the system may end this app while the other one is in front. It is
/// removed before its code is redeemed, so that it answers for one redirect only.
struct PendingSignIn: Sendable, Equatable {
    /// The value that the ID token has to repeat. Standard: OpenID Connect Core 1.0 §15.5.2.
    struct Nonce: Secret {
        let revealed: String
        init(revealing text: String) { revealed = text }
    }

    /// The provider's name in the store.
    let provider: String
    /// The value that `iss` must have: the issuer as its metadata spell it.
    let issuer: String
    /// Whether the server promised to name itself in its answer.
    let namesIssuer: Bool
    let client: ClientID
    let redirectURI: String
    let scope: Scope
    /// The value that identifies the request.
    let state: AuthorizationState
    let verifier: CodeVerifier
    /// `nil` when no ID token was requested.
    let nonce: Nonce?
    /// The key that the tokens will be bound to; `nil` for bearer tokens.
    let tokenKey: DPoPKey?
    /// The end of the time for which an answer is accepted.
    let deadline: Date

    /// The key of the request in the store; it holds only a digest of the state.
    var key: TokenStoreKey { .pendingSignIn(at: provider, as: client, state: state) }

    /// Judges what came back to the redirect URI; ``ReturnedParameters/state`` matched this request.
    ///
    /// The server's name is judged before anything else, so that an answer of another server has no effect at all.
    func judge(_ returned: ReturnedParameters, at now: Date) -> AuthorizationAnswer<RedeemableCode> {
        if let issuer = returned.issuer {
            guard issuer == self.issuer else { return .rejected(.otherIssuer) }
        } else if namesIssuer, returned.content != .failure(.unreadable), returned.content != .failure(.nothing) {
            return .rejected(.issuerMissing)
        }
        switch returned.content {
        case .failure(let fault):
            return .rejected(fault)
        case .success(.refused(let error)):
            return error.code.isDeclinedByPerson ? .denied : .refused(error)
        case .success(.code(let code)):
            guard now < deadline else { return .rejected(.late) }
            return .granted(RedeemableCode(request: self, code: code))
        }
    }
}
