internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// Proves the key of a sign-in to its authorization server, and remembers the newest nonce of that server.
///
/// Standard: RFC 9449 §4, §8.
struct KeyProofs: Sendable {
    /// The key that is proved.
    let key: DPoPKey
    private let prover: NIOLockedValueBox<DPoPProver>
    private let context: RequesterContext

    /// Proofs of `key`; no nonce is known yet.
    init(of key: DPoPKey, in context: RequesterContext) {
        self.key = key
        self.context = context
        prover = NIOLockedValueBox(DPoPProver(key))
    }

    /// Puts a new proof into a request.
    ///
    /// - Throws: ``TransportError`` when no proof can be made, so that the request is not sent without one.
    func prove(_ request: inout HTTPRequest, to endpoint: Endpoint) throws(TransportError) {
        let prover = prover.withLockedValue(\.self)
        guard let target = DPoPTarget(request.method, endpoint.url.absoluteString),
            let proof = try? prover.proof(for: target, at: context.clock.now(), drawingFrom: context.random)
        else { throw TransportError(.notReached, because: "no proof can be made for \(endpoint.url)") }
        request.headerFields[.dpop] = proof
    }

    /// Records the nonce of an answer; returns whether its request was refused only because it lacked that nonce.
    func note(_ answer: HTTPAnswer, to request: HTTPRequest) -> Bool {
        let isRefused = answer.response.status.kind == .clientError
        let error = isRefused ? try? answer.decoded(OAuthErrorResponse.self) : nil
        return prover.withLockedValue {
            $0.note(answer.response.headerFields, refusedAs: error?.error, of: request.headerFields)
        }
    }
}

extension TokenBinding {
    /// A new key for a sign-in at a server; `nil` when its tokens are bearer tokens.
    ///
    /// - Throws: ``SignInError`` `binding_not_offered` when the server does not bind tokens, and they must be bound.
    func newKey(at server: VerifiedServer, drawingFrom random: RandomSource) throws(SignInError) -> DPoPKey? {
        switch self {
        case .never: return nil
        case .whenOffered where !server.bindsTokens: return nil
        case .required where !server.bindsTokens:
            throw SignInError(.bindingNotOffered, because: "the server does not bind tokens to keys (DPoP with ES256)")
        case .whenOffered, .required: return DPoPKey(drawingFrom: random)
        }
    }
}

extension TokenResponse {
    /// The reason that the answer cannot be used; `nil` when it can.
    ///
    /// - Parameters:
    ///   - key: The key that was proved in the request; `nil` for none.
    ///   - binding: The app's choice of binding.
    func problem(proving key: DPoPKey?, _ binding: TokenBinding) -> String? {
        switch tokenType.lowercased() {
        case "bearer" where key == nil || binding != .required: break
        case "bearer": return "the token is not bound to the key"
        case "dpop" where key != nil: break
        default: return "the token is of a type that was not asked for"
        }
        let tokens = [accessToken.revealed] + (refreshToken.map { [$0.revealed] } ?? [])
        return tokens.allSatisfy(Self.isUsable) ? nil : "a token holds characters that no token has"
    }

    /// Whether the token is bound to the key that was proved.
    var isBound: Bool { tokenType.lowercased() == "dpop" }

    /// Whether a token can be put into a header field: visible ASCII. Standard: RFC 6749 Appendix A.12, RFC 6750.
    static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension DPoPKey {
    /// The stored private half, in base64url.
    var kept: String { URLSafeText.encode(revealedBytes) }

    /// Restores a key from the store.
    init?(kept text: String) {
        guard let bytes = URLSafeText.decode(text) else { return nil }
        self.init(revealing: bytes)
    }
}
