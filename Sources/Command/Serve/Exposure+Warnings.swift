internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension Exposure {
    /// What whoever runs the server should know about how it is reached, in sentences.
    func warnings(at now: Date) -> [String] {
        var warnings: [String] = []
        if let operations, !operations.isLoopback {
            warnings.append("/metrics is answered on \(operations), to everybody who reaches that address.")
        }
        for network in trustedProxies where network.isWide {
            warnings.append("\(network) is trusted, so almost anybody can say from where they come.")
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
