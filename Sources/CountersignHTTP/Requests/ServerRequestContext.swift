internal import Atomics
package import HTTPTypes
package import Hummingbird
internal import Logging
package import NIOCore

/// The connection of a request, and the results of the steps before its route.
package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    private let held = ManagedAtomic(false)
    /// The certificate that the client proved on the connection; always `nil` outside the listener for certificates.
    package var certificate: PresentedCertificate?

    /// The refusal that every route answers with; `nil` for a good request.
    package var refusal: RefusedRequestError?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Whether the request was held open; then its duration is no latency.
    var wasHeld: Bool { held.load(ordering: .relaxed) }

    /// Notes that the request is held open.
    package func noteHeld() { held.store(true, ordering: .relaxed) }

    /// The same with the identifiers of a span in the log.
    func logging(_ span: OpenSpan) -> ServerRequestContext {
        var context = self
        span.note(in: &context.logger)
        return context
    }

    /// The identifier of this request in the log; `nil` when it has none.
    var requestID: String? { logger[metadataKey: Logger.requestID]?.description }

    /// The address of the client, as far as it can be seen.
    package func address(of request: Request, by addresses: ClientAddressResolver) -> String? {
        addresses.client(
            of: channel.remoteAddress?.ipAddress,
            forwardedFor: request.headers[values: .xForwardedFor]
        )
    }
}

extension HTTPField.Name {
    package static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}
