internal import Atomics
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// What the server knows of a request apart from its text: the connection it came on.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// Whether the request was held open, so that its time is no latency.
    let wasHeld = ManagedAtomic(false)

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The name that this request has in the log; `nil` where it came without one.
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
