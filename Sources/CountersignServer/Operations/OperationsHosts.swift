internal import CountersignWire
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The host names that the operations listener shows figures at.
///
/// Programs that collect figures name the listener by its address, or by a name that only the operator's network knows.
/// A site that points its own name at the listener (DNS rebinding) is named by a domain of the public network. So any
/// address is accepted and any name of one word, and of other names those that the operator gave: the one that the
/// listener listens on, and the issuer's.
/// Standard: RFC 9110 §7.2, §7.4.
struct OperationsHosts: Sendable {
    private let names: Set<String>

    init(listening host: String?, issuer: Issuer) {
        names = Set([host, issuer.url.host()].compactMap { $0?.lowercased() })
    }

    /// Whether a request names one of them; ports count alike, since the listener may be behind another one.
    func isNamed(by request: Request) -> Bool {
        guard let authority = request.head.authority?.lowercased() else { return false }
        guard !authority.hasPrefix("[") else { return true }
        let host = String(authority.prefix { $0 != ":" })
        return names.contains(host) || AddressNetwork.isAddress(host) || !host.contains(".")
    }
}
