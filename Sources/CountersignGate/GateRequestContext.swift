package import CountersignResource
package import Hummingbird
internal import NIOCore

/// The connection of a request to a gate, and the token of an API client after its check.
package struct GateRequestContext: ResourceRequestContext {
    package var coreContext: CoreRequestContextStorage
    package var verifiedToken: VerifiedToken?
    /// The address of the peer; `nil` for a Unix domain socket.
    let peer: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }
}
