internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds out the network address that a request comes from, as far as that can be seen.
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
    /// If the issuer is `https` and the server has no TLS of its own, the peer is a proxy even when none was named. Its
    /// address is the same for all clients, so an approver would be told that a stranger's screen is at their own
    /// address.
    func client(of peer: String?, forwardedFor header: [String]) -> String? {
        guard let peer = peer.map(AddressNetwork.plain) else { return nil }
        guard isTrusted(peer) else { return issuer.isSecure && !hasOwnTLS ? nil : peer }
        let hops = ForwardedFor.hops(header)
        // If all hops are trusted proxies, the first one is the nearest known to the client.
        guard let nearest = hops.last(where: { !isTrusted($0) }) ?? hops.first else { return nil }
        return AddressNetwork.isAddress(nearest) ? AddressNetwork.plain(nearest) : nil
    }

    /// Whether a connection is that of a trusted proxy; one without an address, through a Unix domain socket, is.
    func isProxy(_ peer: String?) -> Bool { peer.map { isTrusted(AddressNetwork.plain($0)) } ?? true }

    /// Whether two clients are in one network, as far as their addresses tell.
    func sameNetwork(_ one: String?, _ other: String?) -> SameNetwork {
        SameNetwork(one.flatMap(comparable), other.flatMap(comparable))
    }

    /// The address for comparing a client with others; `nil` where it may be the address of many.
    ///
    /// A server with a public name that sees an inner address, and knows of no proxy, may be behind a balancer or a
    /// container's gateway that puts its own address in place of the client's. Then clients from everywhere have that
    /// address, or a neighbouring one.
    func comparable(_ address: String) -> String? {
        let mayBeOfMany = trustedProxies.isEmpty && AddressNetwork.isInternal(address)
        return mayBeOfMany && PublicHost.contains(issuer.url.host ?? "") ? nil : address
    }

    private func isTrusted(_ address: String) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }
}
