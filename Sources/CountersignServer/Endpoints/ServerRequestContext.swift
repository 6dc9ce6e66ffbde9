internal import CountersignWire
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

    /// The address of the client, without its port; `nil` where it cannot be seen.
    ///
    /// The server speaks no TLS itself, so behind an `https` issuer the other end is a proxy. Its address would be the
    /// same for everybody, and an approver would be told that a stranger's screen is at their own address.
    func address(behind issuer: Issuer) -> String? {
        issuer.isSecure ? nil : channel.remoteAddress?.ipAddress
    }
}
