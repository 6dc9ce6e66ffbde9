internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `POST /authenticator/look`: an enrolled device asks what a request in its list is about.
///
/// Looking does not take the request: several devices may look at one. A request that is unknown, another person's, not
/// yet their turn, decided or over gets one and the same answer.
struct AuthenticatorLookEndpoint: Sendable {
    let server: ServerServices
    private var devices: DeviceRequests { DeviceRequests(server: server) }
    private static let path = "authenticator/look"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await devices.answering(request, in: context, at: Self.path) { caller in
            // Refused before anything is read or written.
            _ = try await caller.key()
            let asked = SignInRequest.ID(try await request.form().required("request"))
            guard let shown = try await look(at: asked, for: caller) else { throw ApproverRequests.noOpenRequest }
            return .json(bytes: shown)
        }
    }

    /// The encoded answer with what the device shows; `nil` when the request cannot be looked at.
    private func look(at asked: SignInRequest.ID, for caller: DeviceRequests.Caller) async throws -> [UInt8]? {
        let nonce: DecisionNonce = server.mint.secret()
        let now = server.clock.now()
        return try await server.store.change { repositories in
            // Successful looks are counted as well, since each stores a row.
            let app = try caller.countedApp(in: repositories)
            let device = try repositories.devices.find(app.signIn.grant.id)
            let stored = try repositories.inbox(of: app.person.subject, on: device, at: now)
                .first { $0.id == asked }
            guard let stored,
                let response = try Self.response(
                    showing: stored, to: app, nonce, reading: caller.keys, at: now, in: repositories)
            else { return nil }
            let bytes = Array(try JSONEncoder.wire.encode(response))
            let expires = stored.exchange.request.deadline
            try repositories.insert(
                nonce,
                for: AuthenticatorDecisionClaims.self,
                of: stored.id,
                by: app,
                shown: bytes,
                until: expires
            )
            return bytes
        }
    }

    private static func response(
        showing stored: SignInExchangeRecord,
        to app: ApprovingApp,
        _ nonce: DecisionNonce,
        reading keys: Keys,
        at now: Date,
        in repositories: any Repositories
    ) throws -> AuthenticatorLookResponse? {
        let request = stored.exchange.request
        guard let client = try repositories.clients.find(request.client.value) else { return nil }
        var response = AuthenticatorLookResponse(
            exchange: stored.id,
            nonce: nonce,
            kind: stored.method.kind,
            client: request.client,
            clientName: Fact(client.name, client.provenanceOfName(request.client.provenance)),
            scope: request.scope.value,
            asked: request.asked.value.numericDate,
            expires: request.deadline.numericDate,
            serverTime: now.numericDate,
            accountName: app.person.name
        )
        response.message = stored.method.message
        response.numberDigits = stored.method.number?.digits
        switch stored.method {
        case .customerSite(let terms):
            response.environment = try repositories.listed(terms.environment)
            response.address = terms.address
            response.place = terms.place
            response.pin = terms.revealedPassword(of: stored.id, with: keys)
        // A server asks, which is nowhere near the person.
        case .backchannel: break
        case .deviceCode, .singleSignOn, .authorizationCode, .immediateGrant:
            response.address = request.address?.value
        }
        return response
    }
}
