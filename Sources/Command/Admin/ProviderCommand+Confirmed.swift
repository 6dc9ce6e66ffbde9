internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire

/// The providers that are queried about each token.
extension ProviderCommand.Add {
    /// The kind of such a provider, with its parameters.
    func confirmedKind() throws -> IdentityProvider.Kind {
        guard let preset else { throw CommandError.usage("--preset is missing.") }
        try refuseOptionsOfOpenID(at: preset)
        guard (apiVersion == nil || preset == .facebookGraph), vouchedBy.isEmpty || preset == .x else {
            throw CommandError.usage("--api-version is for --preset facebook-graph, and --vouched-by for --preset x.")
        }
        let base = try base(at: preset)
        switch preset {
        case .facebookGraph:
            let version = apiVersion ?? "v23.0"
            guard version.utf8.allSatisfy(Self.isOfVersion), version.first == "v" else {
                throw CommandError.usage("--api-version is a version such as v23.0.")
            }
            let (client, secret) = try app("the identifier of the app at Facebook")
            return .socialGraph(IdentityProvider.SocialGraph(app: client, secret: secret, base: base, version: version))
        case .twitter:
            let (client, secret) = try app("the consumer key of the app")
            return .oauth1(IdentityProvider.OAuth1(consumer: client, secret: secret, base: base))
        case .x:
            guard clientID == nil else {
                throw CommandError.usage("--preset x takes no --client-id: X does not say for which app a token is.")
            }
            guard exchangedBy.isEmpty else {
                throw CommandError.usage("--preset x takes --vouched-by in place of --exchanged-by.")
            }
            guard !vouchedBy.isEmpty else {
                throw CommandError.usage(
                    """
                    --preset x needs --vouched-by. X does not say for which app a token was made, so any app could sign in \
                    as the people who use it: name the clients, with a secret, that present only their own tokens.
                    """
                )
            }
            return .bearer(IdentityProvider.Bearer(base: base, vouchers: vouchedBy.map { ClientID($0) }))
        case .apple, .facebook, .google, .microsoft: throw CommandError("\(preset.rawValue) is an OpenID provider.")
        }
    }

    /// The secret on standard input; `nil` when there is no valid one.
    func secret() throws -> String? {
        guard let line = try Terminal.readSecret(asking: "Client secret: "), !line.isEmpty, line.utf8.count <= 4096
        else { return nil }
        return line
    }

    private func app(_ meaning: String) throws -> (ClientID, ProviderSecret) {
        guard let clientID, !clientID.isEmpty, clientID.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError.usage("--client-id is missing: \(meaning).")
        }
        guard let secret = try secret() else {
            throw CommandError("The app’s secret comes as one line on standard input.")
        }
        guard secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError("The app’s secret has characters that no secret has.")
        }
        return (ClientID(clientID), ProviderSecret(revealing: secret))
    }

    private func base(at preset: ProviderPreset) throws -> String {
        let text = host ?? preset.host
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard (try? Endpoint(base)) != nil, !base.contains("?") else {
            throw CommandError.usage("--host is no https address.")
        }
        return base
    }

    private func refuseOptionsOfOpenID(at preset: ProviderPreset) throws {
        let given: [(String, Bool)] = [
            ("--tenant", tenant != nil), ("--public", self.public), ("--key-file", keyFile != nil),
            ("--key-id", keyID != nil), ("--team-id", teamID != nil), ("--scope", scope != nil),
            ("--token-endpoint", tokenEndpoint != nil), ("--form-post", formPost),
            ("--exchange-audience", !exchangeAudience.isEmpty), ("--exchange-party", !exchangeParty.isEmpty),
            ("--exchange-nonce", exchangeNonce != nil),
        ]
        guard let wrong = given.first(where: \.1) else { return }
        throw CommandError.usage("\(wrong.0) is for OpenID providers, and not for --preset \(preset.rawValue).")
    }

    private static func isOfVersion(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "v")
    }
}
