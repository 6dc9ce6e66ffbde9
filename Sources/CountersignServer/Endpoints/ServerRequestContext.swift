internal import Hummingbird
internal import Logging
internal import NIOCore

/// What the server knows of a request apart from its text: the connection it came on.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The address at the other end, without its port.
    var address: String? { channel.remoteAddress?.ipAddress }
}
