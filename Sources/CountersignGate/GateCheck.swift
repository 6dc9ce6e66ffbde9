package import Countersign
package import CountersignTransport
internal import CountersignWire

/// A look at a gate's folder and at its server. It writes nothing here.
package struct GateCheck: Sendable {
    private let configuration: GateConfiguration
    private let provider: GateProvider
    private let random: RandomSource

    /// Prepares the look.
    ///
    /// - Parameters:
    ///   - secret: The secret of the gate's client.
    ///   - transport: The network to the server.
    package init(
        _ configuration: GateConfiguration,
        secret: ClientSecret,
        over transport: any HTTPTransport,
        clock: TimeSource,
        random: RandomSource
    ) {
        self.configuration = configuration
        self.random = random
        provider = GateProvider(
            configuration.issuer, as: configuration.client, secret: secret, over: transport, clock: clock)
    }

    /// The problems of the folder, of the server and of each site there, and what the server does not tell.
    package func findings() async -> [GateFinding] {
        var (findings, isAccepted) = await general()
        guard isAccepted else { return findings }
        for site in sites {
            if let finding = await redirection(to: site) { findings.append(finding) }
            guard site.takesTokens else { continue }
            findings.append(
                .unchecked("whether the client serves \(site.audience) (--serves), which only a token for it shows"))
        }
        return findings
    }

    /// The problems of which a start warns: those of the folder, and of the server as a whole.
    package func warnings() async -> [GateFinding] { await general().findings }

    /// The problems of the folder, and of the server as a whole, and whether that accepts the gate.
    private func general() async -> (findings: [GateFinding], isAccepted: Bool) {
        let state = StateCheck(path: configuration.state).findings
        if let problem = await acceptance() { return (state + [problem], false) }
        return (state + (await unsupportedClasses()), true)
    }

    /// The reason that the server cannot be reached, or does not accept the gate; `nil` when it does.
    private func acceptance() async -> GateFinding? {
        do throws(GateProviderError) {
            _ = try await provider.addresses()
            _ = try await provider.refresh(RefreshToken(revealing: "unknown"))
            return nil
        } catch {
            switch error {
            case .refused(_, by: .invalidGrant?): return nil
            case .untrusted:
                return .problem(
                    .server, "\(error.reason).", advice: "Name the certificate of its authority in ca-file.")
            case .away, .refused:
                return .problem(
                    .server, "\(error.reason).", advice: "Compare issuer, client-id and the secret with the server's.")
            }
        }
    }

    /// The classes in rules that the server never names, by its metadata.
    ///
    /// Standard: OpenID Connect Discovery 1.0 §3 (`acr_values_supported`).
    private func unsupportedClasses() async -> [GateFinding] {
        guard let supported = try? await provider.addresses().authenticationClasses else { return [] }
        return sites.flatMap { site in
            site.authenticationClasses.subtracting(supported).sorted().map { name in
                .problem(
                    .server, "it does not support \(name), which a rule of \(site.origin) names in acr.",
                    advice: "It supports \(supported.prefix(20).joined(separator: ", ")).".shownInOneLine)
            }
        }
    }

    private var sites: [GateSite] { configuration.sites.values.sorted { $0.authority < $1.authority } }

    /// The finding about the return from a sign-in; `nil` when the server would lead a browser back to the site.
    private func redirection(to site: GateSite) async -> GateFinding? {
        let address = site.address(.callback)
        let verifier = CodeVerifier(revealing: URLSafeText.encode(random.bytes(32)))
        let request: Form = [
            "response_type": "code", "client_id": configuration.client.rawValue, "redirect_uri": address,
            "scope": configuration.scope.description, "state": "check", "nonce": URLSafeText.encode(random.bytes(16)),
            "code_challenge": CodeChallenge(of: verifier).description, "code_challenge_method": CodeChallenge.method,
        ]
        do throws(GateProviderError) {
            guard let reason = try await provider.refusal(of: request) else { return nil }
            return .problem(
                .server, "it refuses sign-ins that return to \(address): \(reason).",
                advice: "Compare the client's scope and redirect URIs; --redirect-uri replaces all: name every site's.")
        } catch {
            return .unchecked("whether sign-ins may return to \(address): \(error.reason)")
        }
    }
}

/// A result of a look at a gate's folder and its server.
package enum GateFinding: Sendable, Equatable {
    /// The part of the set-up that a problem is about.
    package enum Subject: String, Sendable {
        /// The address for the proxies.
        case address
        /// The folder with keys and sessions.
        case state
        /// The server that signs people in, and the gate's client there.
        case server
    }

    /// An error in a sentence, and its remedy in another.
    case problem(Subject, String, advice: String)
    /// A point that the server did not tell about.
    case unchecked(String)
}
