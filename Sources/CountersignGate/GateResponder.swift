internal import Countersign
internal import CountersignHTTP
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
package import Hummingbird
internal import Logging

/// Answers the requests of proxies: their own, and those for the pages of the gate that they pass on.
package struct GateResponder: HTTPResponder {
    private let services: GateServices
    private let check: CheckEndpoint
    private let signIn: SignInPages
    private let signOut: SignOutPages

    init(_ services: GateServices) {
        self.services = services
        check = CheckEndpoint(services)
        signIn = SignInPages(services: services)
        signOut = SignOutPages(services: services)
    }

    package func respond(to request: Request, context: GateRequestContext) async throws -> Response {
        guard services.configuration.isProxy(context.peer) else {
            context.logger.warning("refused: the peer is no trusted proxy", metadata: ["peer": "\(context.peer ?? "")"])
            return .text("Only the proxies of this gate are answered.", status: .forbidden)
        }
        let response: Response
        do {
            response =
                request.uri.path == GatePage.check
                ? try await checked(request, in: context) : try await page(request, in: context)
        } catch let error as GateAnswerError {
            response = error.response
        } catch {
            context.logger.error("failed", metadata: ["reason": "\(error)"])
            response = GateAnswerError.fault.response
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Only a proxy asks, which names the original request; another method would be that of a client.
    private func checked(_ request: Request, in context: GateRequestContext) async throws -> Response {
        guard [.get, .head].contains(request.method) else { return .text("Ask by GET.", status: .forbidden) }
        return try await check.answer(request, in: context)
    }

    private func page(_ request: Request, in context: GateRequestContext) async throws -> Response {
        // Nothing of a notice is believed: sessions are checked at the server, whether or not it comes.
        if request.uri.path == GatePage.notice.rawValue, request.method == .post {
            return Response(status: .ok, headers: [.cacheControl: "no-store"])
        }
        guard let site = services.configuration.site(of: request.head.authority) else {
            let host = (request.head.authority ?? "").shownAsHost
            context.logger.info("refused", metadata: ["reason": "\(host) is no site of the gate"])
            return .text("The gate has no such site.", status: .forbidden)
        }
        switch (GatePage(rawValue: request.uri.path), request.method) {
        case (.signIn, .get), (.signIn, .head): return try await signIn.start(request, at: site)
        case (.callback, .get): return try await signIn.finish(request, at: site, telling: context.logger)
        case (.signOut, .get), (.signOut, .head): return try await signOut.ask(at: site)
        case (.signOut, .post): return try await signOut.end(request, at: site)
        case (.signedOut, .get), (.signedOut, .head): return await signOut.finish(request, at: site)
        case (.keys, .get), (.keys, .head): return try published()
        case (nil, _): return .text("There is no such page.", status: .notFound)
        case (_, _): return .text("This page takes another method.", status: .methodNotAllowed)
        }
    }

    /// The public key of the gate's statements. Standard: RFC 7517 §5.
    private func published() throws -> Response {
        try .json(services.keys.published, headers: [.cacheControl: "public, max-age=300"])
    }
}
