internal import Atomics
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// The server's knowledge about a request besides its content: the connection that it came on.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Whether the request was held open; its duration is then not counted as latency.
    let wasHeld = ManagedAtomic(false)
    /// The certificate that the client proved when it opened the connection; always `nil` outside of the listener for
    /// clients with certificates.
    var certificate: PresentedCertificate?

    /// Refuses the request at whatever it asks for; `nil` for a good one.
    var refusal: RefusedRequestError?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The identifier of this request in the log; `nil` when it has none.
    var requestID: String? { logger[metadataKey: "hb.request.id"]?.description }

    /// The address of the client, as far as it can be seen.
    func address(of request: Request, by addresses: ClientAddressResolver) -> String? {
        addresses.client(
            of: channel.remoteAddress?.ipAddress,
            forwardedFor: request.headers[values: .xForwardedFor]
        )
    }
}

extension HTTPField.Name {
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}
