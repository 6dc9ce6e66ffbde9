internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `POST /nearby/look`: a phone asks which screen is at the other end of its link, and what it asks for.
///
/// The phone presents a verifier that it can have only from that screen. Looking does not take the request: several
/// phones may look at one request. An unknown, expired or decided request and a wrong verifier get one and the same
/// answer.
struct NearbyLookEndpoint: Sendable {
    let server: ServerServices
    private static let path = "nearby/look"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ApproverRequests(server: server).answering(request, in: context, at: Self.path) { caller in
            _ = try await server.store.read { try caller.app(in: $0) }
            let asked = try NearbyLookRequest(form: try await request.form())
            guard let shown = try await look(asked, for: caller) else { throw ApproverRequests.noOpenRequest }
            return .json(bytes: shown)
        }
    }

    /// The encoded answer with what the phone shows; `nil` when the request cannot be looked at.
    private func look(_ asked: NearbyLookRequest, for caller: ApproverRequests.Caller) async throws -> [UInt8]? {
        let code = UserCode(parsing: asked.userCode.rawValue).map(caller.keys.digest)
        let nonce: DecisionNonce = server.mint.secret()
        return try await server.store.change { repositories in
            // Successful looks are counted as well, since each stores a row.
            let app = try caller.countedApp(in: repositories)
            guard let code, let found = try repositories.exchanges.find(code),
                case .deviceCode(_, nearby: asked.verifier.challenge) = found.method,
                let response = try response(
                    showing: found.exchange, to: app, nonce, at: caller.address, in: repositories)
            else { return nil }
            let bytes = Array(try JSONEncoder.wire.encode(response))
            let expires = found.exchange.request.deadline
            try repositories.insert(
                nonce,
                for: NearbyDecisionClaims.self,
                of: found.id,
                by: app,
                shown: bytes,
                until: expires
            )
            return bytes
        }
    }

    private func response(
        showing exchange: SignInExchange,
        to app: ApprovingApp,
        _ nonce: DecisionNonce,
        at address: String?,
        in repositories: any Repositories
    ) throws -> NearbyLookResponse? {
        let request = exchange.request
        guard exchange.decider == nil, server.clock.now() < request.deadline, request.isOpen(to: app.person.subject),
            let client = try repositories.clients.find(request.client.value)
        else { return nil }
        return NearbyLookResponse(
            exchange: request.id,
            nonce: nonce,
            client: request.client,
            clientName: Fact(client.name, client.provenanceOfName(request.client.provenance)),
            scope: request.scope.value,
            address: request.address?.value,
            asked: request.asked.value.numericDate,
            expires: request.deadline.numericDate,
            sameNetwork: try server.addresses.samePlace(
                request.address?.value, address, in: repositories, at: server.clock.now()),
            accountName: app.person.name
        )
    }
}
