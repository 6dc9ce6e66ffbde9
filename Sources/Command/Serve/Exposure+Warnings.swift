internal import CountersignServer
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Exposure {
    /// Warnings for the operator about how the server is reached, one sentence each.
    func warnings(at now: Date) -> [String] {
        var warnings: [String] = []
        if let operations, !operations.isLoopback {
            warnings.append("/metrics is answered on \(operations), to every client that reaches that address.")
        }
        for network in trustedProxies where network.isWide {
            warnings.append(
                "\(network) is trusted, so almost any client can choose the address that it is logged with.")
        }
        if let certificate, certificate.expires < now {
            warnings.append("The TLS certificate ended \(certificate.expires.formatted(.iso8601)). Renew it.")
        }
        if let certificate, now < certificate.begins {
            warnings.append("The TLS certificate is good only from \(certificate.begins.formatted(.iso8601)) on.")
        }
        return warnings
    }
}
