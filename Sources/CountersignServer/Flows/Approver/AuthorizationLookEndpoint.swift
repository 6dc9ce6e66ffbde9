internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `POST /authorization/look`: the provider's own app, which the system opened with the authorization request of
/// another app, asks what is behind it.
///
/// Looking decides nothing and uses nothing up, not even a pushed request.
struct AuthorizationLookEndpoint: Sendable {
    let server: ServerServices
    private let authorization: AppAuthorization
    private static let path = "authorization/look"

    /// The time to decide a request after the look at it, in seconds.
    static let lifetime: TimeInterval = 300

    init(server: ServerServices) {
        self.server = server
        authorization = AppAuthorization(server: server)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ApproverRequests(server: server).answering(request, in: context, at: Self.path) { caller in
            let app = try await server.store.read { try caller.app(in: $0) }
            let asked = try AuthorizationLookRequest(form: try await request.form())
            let step = try await authorization.step(for: asked.parameters, at: app)
            return .json(bytes: try await look(step, for: caller))
        }
    }

    /// The encoded answer; what can be decided is noted, so that its nonce counts once.
    private func look(_ step: AppAuthorization.Step, for caller: ApproverRequests.Caller) async throws -> [UInt8] {
        let nonce: DecisionNonce = server.mint.secret()
        let request: SignInRequest.ID = server.mint.identifier()
        return try await server.store.change { repositories in
            // Looks that find nothing are counted as well.
            let app = try caller.countedApp(in: repositories)
            let expires = server.clock.now() + Self.lifetime
            let response = Self.response(to: step, for: app, id: request, nonce, until: expires)
            let bytes = Array(try JSONEncoder.wire.encode(response))
            guard case .decide = response else { return bytes }
            try repositories.insert(
                nonce,
                for: AuthorizationDecisionClaims.self,
                of: request,
                by: app,
                shown: bytes,
                until: expires
            )
            return bytes
        }
    }

    private static func response(
        to step: AppAuthorization.Step,
        for app: ApprovingApp,
        id: SignInRequest.ID,
        _ nonce: DecisionNonce,
        until expires: Date
    ) -> AuthorizationLookResponse {
        switch step {
        case .browser: return .browser
        case .unanswerable: return .unanswerable
        case .answer(let answer): return .answer(answer.location, redirectURI: answer.address.redirectURI)
        case .decide(let checked, let mustAsk, let isAllowedBefore):
            guard let challenge = checked.challenge else { return .browser }
            let provenance: Provenance = checked.isClientAssured ? .verified : .asserted
            return .decide(
                AuthorizationLook(
                    exchange: id,
                    nonce: nonce,
                    client: Fact(checked.client.id, provenance),
                    clientName: Fact(checked.client.name, checked.client.provenanceOfName(provenance)),
                    redirectURI: checked.answering.redirectURI,
                    permissions: checked.scope.words.map {
                        AuthorizationLook.Permission($0, meaning: ShownPermission($0).meaning.english)
                    },
                    challenge: challenge,
                    accountName: app.person.name,
                    isAllowedBefore: isAllowedBefore,
                    mustAsk: mustAsk,
                    expires: expires.numericDate
                )
            )
        }
    }
}
