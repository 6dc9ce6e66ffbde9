package import Countersign
package import CountersignWire
internal import FoundationEssentialsCompat

/// Finds the network address of the client behind a request, as far as it can be seen.
///
/// A proxy hides the client's address, and names it in `X-Forwarded-For`. Any client can send that header, so it counts
/// only from a proxy that the operator named, and only back to the first hop that is not such a proxy.
package struct ClientAddressResolver: Sendable {
    private let issuer: Issuer
    private let trustedProxies: [AddressNetwork]
    private let hasOwnTLS: Bool

    /// Creates a resolver.
    ///
    /// - Parameter hasOwnTLS: Whether the server speaks TLS itself, so that the peer may be the client; `false` by
    ///   default.
    package init(issuer: Issuer, trustedProxies: [AddressNetwork], hasOwnTLS: Bool = false) {
        self.issuer = issuer
        self.trustedProxies = trustedProxies
        self.hasOwnTLS = hasOwnTLS
    }

    /// The client's address, without its port; `nil` where it cannot be seen.
    ///
    /// If the issuer is `https` and the server has no TLS of its own, the peer is a proxy even when none was named. All
    /// clients have its address, so an approver would see a stranger's screen at their own address.
    package func client(of peer: String?, forwardedFor header: [String]) -> String? {
        guard let peer = peer.map(AddressNetwork.plain) else { return nil }
        guard isTrusted(peer) else { return issuer.isSecure && !hasOwnTLS ? nil : peer }
        let hops = ForwardedFor.hops(header)
        // If all hops are trusted proxies, the first one is the nearest known to the client.
        guard let nearest = hops.last(where: { !isTrusted($0) }) ?? hops.first else { return nil }
        return AddressNetwork.isAddress(nearest) ? AddressNetwork.plain(nearest) : nil
    }

    /// Whether a connection comes from a trusted proxy; a Unix domain socket, which has no address, counts as one.
    func isProxy(_ peer: String?) -> Bool { peer.map { isTrusted(AddressNetwork.plain($0)) } ?? true }

    /// Whether two clients are in one network, as far as their addresses tell.
    package func sameNetwork(_ one: String?, _ other: String?) -> SameNetwork {
        SameNetwork(one.flatMap(comparable), other.flatMap(comparable))
    }

    /// The address for comparing a client with others; `nil` where many clients may have it.
    ///
    /// A server with a public name that sees an internal address, and knows no proxy, may be behind a balancer or a
    /// container's gateway that replaces the client's address by its own. Then all clients have that address, or a
    /// neighbouring one.
    package func comparable(_ address: String) -> String? {
        let mayBeOfMany = trustedProxies.isEmpty && AddressNetwork.isInternal(address)
        return mayBeOfMany && PublicHost.contains(issuer.url.host ?? "") ? nil : address
    }

    private func isTrusted(_ address: String) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
