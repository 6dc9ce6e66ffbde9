internal import CountersignWire

/// Finds out from which network address a request comes, as far as that can be seen.
///
/// A proxy hides the client's address, and names it in `X-Forwarded-For`. Anybody can write that header, so it is
/// believed only from a proxy that the operator named, and only back to the first hop that is not such a proxy.
struct ClientAddressResolver: Sendable {
    let issuer: Issuer
    let trustedProxies: [AddressNetwork]
    /// Whether the server speaks TLS itself, so that the peer may be the client.
    var hasOwnTLS = false

    /// The client's address, without its port; `nil` where it cannot be seen.
    ///
    /// When the issuer is `https` and the server has no TLS of its own, the peer is a proxy even when none was named.
    /// Its address is the same for all clients, so an approver would be told that a stranger's screen is at their own
    /// address.
    func client(of peer: String?, forwardedFor header: [String]) -> String? {
        guard let peer = peer.map(AddressNetwork.plain) else { return nil }
        guard isTrusted(peer) else { return issuer.isSecure && !hasOwnTLS ? nil : peer }
        let hops = ForwardedFor.hops(header)
        // If all hops are trusted proxies, the first one is the nearest known to the client.
        guard let nearest = hops.last(where: { !isTrusted($0) }) ?? hops.first else { return nil }
        return AddressNetwork.isAddress(nearest) ? AddressNetwork.plain(nearest) : nil
    }

    private func isTrusted(_ address: String) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
