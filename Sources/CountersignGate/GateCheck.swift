package import Countersign
package import CountersignTransport
internal import CountersignWire

/// A look at a gate's keys and at its server. It writes nothing here.
package struct GateCheck: Sendable {
    private let configuration: GateConfiguration
    private let provider: GateProvider
    private let random: RandomSource

    /// Prepares the look.
    ///
    /// - Parameters:
    ///   - secret: The secret of the gate's client.
    ///   - transport: The network to the server.
    /// - Throws: ``GateStateError`` when there are keys that cannot be used.
    package init(
        _ configuration: GateConfiguration,
        secret: ClientSecret,
        over transport: any HTTPTransport,
        clock: TimeSource,
        random: RandomSource
    ) throws(GateStateError) {
        _ = try GateKeys.found(in: configuration.state)
        self.configuration = configuration
        self.random = random
        provider = GateProvider(
            configuration.issuer, as: configuration.client, secret: secret, over: transport, clock: clock)
    }

    /// The problems of the server and of each site there, and what the server does not tell.
    package func findings() async -> [GateFinding] {
        if let problem = await acceptance() { return [problem] }
        var findings: [GateFinding] = []
        for site in configuration.sites.values.sorted(by: { $0.authority < $1.authority }) {
            if let finding = await redirection(to: site) { findings.append(finding) }
            guard site.takesTokens else { continue }
            findings.append(
                .unchecked("whether the client serves \(site.audience) (--serves), which only a token for it shows"))
        }
        return findings
    }

    /// The reason that the server cannot be reached, or does not accept the gate; `nil` when it does.
    package func acceptance() async -> GateFinding? {
        do throws(GateProviderError) {
            _ = try await provider.addresses()
            _ = try await provider.refresh(RefreshToken(revealing: "unknown"))
            return nil
        } catch {
            switch error {
            case .refused(_, by: .invalidGrant?): return nil
            case .untrusted:
                return .problem(error.reason, advice: "Name the certificate of its authority in ca-file.")
            case .away, .refused:
                return .problem(error.reason, advice: "Compare issuer, client-id and the secret with the server's.")
            }
        }
    }

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
                "it refuses sign-ins that return to \(address): \(reason)",
                advice: "Compare the client's scope and redirect URIs; --redirect-uri replaces all: name every site's.")
        } catch {
            return .unchecked("whether sign-ins may return to \(address): \(error.reason)")
        }
    }
}

/// A result of a look at the server.
package enum GateFinding: Sendable, Equatable {
    /// An error, and its remedy in a sentence.
    case problem(String, advice: String)
    /// A point that the server did not tell about.
    case unchecked(String)
}
