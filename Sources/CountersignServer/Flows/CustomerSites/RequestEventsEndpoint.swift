internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /auth/v1.0/instant/{id}/events`: a browser at the customer's site waits for the decision about a request.
///
/// It gets one event, with a token that it carries to the customer's server. Without a decision the stream ends after
/// the server's longest wait, and the browser asks again by itself.
/// Standard: WHATWG HTML §9.2 (server-sent events), in place of SockJS.
struct RequestEventsEndpoint: Sendable {
    let requests: CustomerSiteRequests
    private var services: FlowServices { requests.services }

    /// The first line for a browser, before there is a decision: the interval before it asks again, in milliseconds.
    private static let beginning = "retry: 1000\n\n"

    @Sendable func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        try services.requestLimiter.admit(.address(.tokenPerAddress, address))
        let id = context.environmentRequest
        guard try await requests.isKnown(id) else { throw CustomerSiteRequests.unknown }
        context.noteHeld()
        let presence = await ClientPresence.of(context.channel)
        let longest = WaitPreference(seconds: max(1, services.tokens.longestWait))
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                // The pages of customers are of other origins; the request's identifier is all that is needed.
                .accessControlAllowOrigin: "*",
            ],
            body: ResponseBody { [requests] writer in
                try await writer.write(ByteBuffer(string: Self.beginning))
                if let longest {
                    await requests.wait(for: id, atMost: longest, from: address, presence: presence)
                }
                if let token = try? await requests.statusToken(of: id) {
                    try await writer.write(ByteBuffer(string: "data: {\"token\":\"\(token)\"}\n\n"))
                }
                try await writer.finish(nil)
            }
        )
    }
}
