internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// Checks how the server is reached: addresses, TLS, proxies, and whether it answers.
struct SettingsCheck {
    private let settings: ConfigReader
    private let now = TimeSource.system.now()

    /// The time left before its end when a certificate should have been renewed, in days.
    private static let renewal = 14.0

    init(_ settings: ConfigReader) {
        self.settings = settings
    }

    var findings: [Finding] {
        get async {
            do {
                let exposure = try ServerConfiguration(settings).exposure
                return reach(exposure) + certificate(exposure) + proxies(exposure) + [await answer(exposure)]
                    + (await ListeningCheck(exposure).findings)
            } catch {
                return [.problem("settings", "\(error)", "The server does not start like this.")]
            }
        }
    }

    private func reach(_ exposure: Exposure) -> [Finding] {
        var findings: [Finding] = []
        if let danger = exposure.danger {
            findings.append(
                .problem("exposure", danger, "Others can read along because allow-insecure-http is set. Take it away."))
        } else if !exposure.issuer.isSecure, !Issuer.isLoopback(exposure.issuer.url.host ?? "") {
            findings.append(
                .problem(
                    "exposure",
                    "The issuer \(exposure.issuer) has no TLS.",
                    "Give it an https:// address, and take allow-insecure-http away."
                )
            )
        } else {
            findings.append(.fine("exposure", "\(exposure.issuer), listening on \(exposure.listen)"))
        }
        if let operations = exposure.operations, !operations.isLoopback {
            findings.append(
                .notice("exposure", "/metrics is answered on \(operations), to every client that reaches that address.")
            )
        }
        return findings
    }

    private func certificate(_ exposure: Exposure) -> [Finding] {
        guard let certificate = exposure.certificate else { return [] }
        let subject = "certificate"
        let host = exposure.issuer.url.host?.lowercased() ?? ""
        let days = certificate.expires.timeIntervalSince(now) / 86_400
        var findings: [Finding] = []
        if now < certificate.begins {
            findings.append(
                .problem(
                    subject, "It is good only from \(certificate.begins.formatted(.iso8601)) on.", "See the clock.")
            )
        }
        if days < 0 {
            findings.append(.problem(subject, "It ended \(certificate.expires.formatted(.iso8601)).", "Renew it."))
        } else if days < Self.renewal {
            findings.append(
                .problem(subject, "It ends in \(Self.spell(days)).", "Renew it; serve takes the new one itself."))
        }
        if !certificate.hostNames.contains(where: { Self.name($0.lowercased(), covers: host) }) {
            let names = certificate.hostNames.joined(separator: ", ")
            findings.append(
                .problem(
                    subject, "It is for \(names.isEmpty ? "no host" : names), not for \(host).", "Get one for \(host).")
            )
        }
        return findings.isEmpty ? [.fine(subject, "for \(host), good for \(Self.spell(days))")] : findings
    }

    private static func spell(_ days: Double) -> String {
        Int(days) == 1 ? "1 day" : "\(Int(days)) days"
    }

    /// Standard: RFC 6125 §6.4.3.
    private static func name(_ name: String, covers host: String) -> Bool {
        guard name.hasPrefix("*.") else { return name == host }
        guard let dot = host.firstIndex(of: ".") else { return false }
        return host[dot...] == name.dropFirst()
    }

    private func proxies(_ exposure: Exposure) -> [Finding] {
        var findings: [Finding] = []
        for network in exposure.trustedProxies where network.isWide {
            findings.append(
                .problem(
                    "proxies",
                    "\(network) is trusted, so almost any client can choose the address that it is logged with.",
                    "Name the proxies themselves with --trusted-proxies."
                )
            )
        }
        if exposure.issuer.isSecure, exposure.certificate == nil, exposure.trustedProxies.isEmpty {
            findings.append(
                .notice(
                    "proxies",
                    "No proxy is named, so people are not shown from which address a screen asks.",
                    "Name the proxy in front with --trusted-proxies."
                )
            )
        }
        return findings
    }

    private func answer(_ exposure: Exposure) async -> Finding {
        let place = exposure.issuer.wellKnown("oauth-authorization-server")
        guard let url = URL(string: place), let host = url.host else { return .notice("server", "\(place) is no URL.") }
        let request = HTTPRequest(
            method: .get,
            scheme: url.scheme,
            authority: url.port.map { "\(host):\($0)" } ?? host,
            path: url.path
        )
        do {
            let answer = try await SystemTransport.make().send(request, body: [], within: .seconds(5))
            let metadata = try? ForeignMessage.read(AuthorizationServerMetadata.self, from: answer.body)
            if [502, 503, 504].contains(answer.response.status.code), await !ListeningCheck(exposure).isRunning {
                return .notice(
                    "server",
                    "The proxy at \(exposure.issuer) answers, the server behind it does not run.",
                    "That is expected while it is stopped."
                )
            }
            guard answer.response.status == .ok, let metadata else {
                return .problem(
                    "server",
                    "\(place) answers \(answer.response.status.code), and not as this server does.",
                    "See where the proxy, or whatever listens there, sends it."
                )
            }
            guard metadata.issuer == exposure.issuer.text else {
                return .problem(
                    "server",
                    "It calls itself \(metadata.issuer), not \(exposure.issuer).",
                    "Give doctor the settings of that server, as with --config, or start it with the same --issuer."
                )
            }
            return .fine("server", "it answers at \(exposure.issuer)")
        } catch let error where error.code == .notTrusted {
            return .notice(
                "server",
                "It answers at \(exposure.issuer), but this machine cannot verify its certificate.",
                "That is expected with a certificate authority of your own; otherwise check the certificate and its chain."
            )
        } catch {
            return .notice(
                "server", "Nothing answers at \(exposure.issuer).", "That is expected if it does not run yet.")
        }
    }
}
