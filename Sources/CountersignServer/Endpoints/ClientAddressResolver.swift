internal import CountersignWire

/// Finds out from which network address a request comes, as far as that can be seen.
///
/// A proxy in front hides the client, and names it in `X-Forwarded-For`. Anybody can write that header, so it is believed
/// only where it comes from a proxy that the operator named, and only back to the first hop that is no such proxy.
struct ClientAddressResolver: Sendable {
    let issuer: Issuer
    let trustedProxies: [AddressNetwork]
    /// Whether the server speaks TLS itself, so that the other end may be the client.
    var hasOwnTLS = false

    /// The client's address, without its port; `nil` where it cannot be seen.
    ///
    /// Behind an `https` issuer without TLS of its own, the other end is a proxy even when none was named. Its address
    /// would be the same for everybody, and an approver would be told that a stranger's screen is at their own.
    func client(of peer: String?, forwardedFor header: [String]) -> String? {
        guard let peer = peer.map(AddressNetwork.plain) else { return nil }
        guard isTrusted(peer) else { return issuer.isSecure && !hasOwnTLS ? nil : peer }
        let hops = ForwardedFor.hops(header)
        // If all are trusted, the first hop is the nearest to the client that is known.
        guard let nearest = hops.last(where: { !isTrusted($0) }) ?? hops.first else { return nil }
        return AddressNetwork.isAddress(nearest) ? AddressNetwork.plain(nearest) : nil
    }

    private func isTrusted(_ address: String) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
