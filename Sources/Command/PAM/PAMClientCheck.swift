internal import Countersign
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Checks whether the server answers, and accepts a host as its clients with the grant types, scope and evidence that its
/// rules need.
///
/// It redeems codes that do not exist, and asks for a person who cannot exist, by which nobody is asked.
struct PAMClientCheck: Sendable {
    let configuration: PAMConfiguration
    let transport: any HTTPTransport

    /// The reason that no other question makes sense.
    private struct EndedError: Error {
        let finding: Finding

        init(_ subject: String, _ finding: String, _ advice: String) {
            self.finding = .problem(subject, finding, advice)
        }
    }

    private var address: String { configuration.issuer.text }

    var findings: [Finding] {
        get async {
            do throws(EndedError) {
                let metadata = try await metadata()
                var findings = [Finding.fine("server", "\(address) answers.")]
                for client in clients { findings += await self.findings(about: client, at: metadata) }
                return findings
            } catch {
                return [error.finding]
            }
        }
    }

    /// The findings about a client.
    private func findings(about client: HostClient, at metadata: AuthorizationServerMetadata) async -> [Finding] {
        do throws(EndedError) {
            let refused = try await refusedGrants(of: client, at: metadata.tokenEndpoint)
            var problems = client.needs.filter { refused.contains($0.grant) }.map { need in
                Finding.problem(
                    "client",
                    "The client \(client.id) may not use the grant type \(need.word), which \(need.purpose).",
                    "On the server: countersign admin client change \(client.id) --grant \(client.grants)")
            }
            if !refused.contains(.deviceCode) {
                for word in try await refusedScope(of: client, at: metadata.deviceAuthorizationEndpoint) {
                    problems.append(
                        .problem(
                            "client", "The client \(client.id) may not have the scope \(word).",
                            "On the server: countersign admin client change \(client.id) --scope \"\(scope)\""))
                }
            }
            if client.identity.secret != nil, !refused.contains(.backchannelAuthentication) {
                problems += try await unmetEvidence(of: client, at: metadata.backchannelAuthenticationEndpoint)
            }
            return problems.isEmpty ? [.fine("client", "The server accepts \(client.id).")] : problems
        } catch {
            return [error.finding]
        }
    }

    // MARK: Needs

    /// A client of the host.
    private struct HostClient {
        let identity: ClientIdentity
        let needs: [Need]
        /// The grant types to register it for.
        let grants: String
        /// The advice for a client that the server does not accept.
        let registration: String

        var id: ClientID { identity.id }
    }

    /// A grant type that rules need.
    private struct Need {
        let grant: GrantType
        let word: String
        let purpose: String

        static let code = Need(grant: .deviceCode, word: "device_code", purpose: "shows codes")
    }

    /// The host itself, and the client for its users.
    private var clients: [HostClient] {
        let forUsers = [configuration.publicClient].compactMap(\.self).map { client in
            HostClient(
                identity: ClientIdentity(client), needs: [.code], grants: "device_code",
                registration:
                    "On the server: countersign admin client add \(client) --grant device_code --scope \"\(scope)\"")
        }
        guard !configuration.isForUser else { return forUsers }
        let host = HostClient(
            identity: configuration.client, needs: needs, grants: "ciba,device_code,refresh_token",
            registration:
                "Compare client and the contents of secret-file with the server's: countersign admin client list")
        return [host] + forUsers
    }

    /// The rules with the ways that each has, for people who can be asked by name and others.
    private var ways: [(rule: PAMServiceRule, ways: Set<SignInWay>)] {
        configuration.services.flatMap { name, rule in
            configuration.people.isAskedByName.compactMap { isAskedByName in
                guard
                    let ways = try? rule.ways(for: name, as: configuration.client, byName: isAskedByName)
                else { return nil }
                return (rule, ways)
            }
        }
    }

    private var needs: [Need] {
        let ways = ways.map(\.ways)
        var needs: [Need] = []
        if ways.contains(where: { $0.contains(.push) }) {
            needs.append(Need(grant: .backchannelAuthentication, word: "ciba", purpose: "asks people on their devices"))
        }
        if ways.contains(where: { !$0.contains(.push) }) { needs.append(.code) }
        if configuration.services.values.contains(where: \.endsWithSignOut) {
            needs.append(Need(grant: .refreshToken, word: "refresh_token", purpose: "ends-with-signout needs"))
        }
        return needs
    }

    /// The scope that the rules ask for.
    private var scope: Scope {
        PAMSigningIn.scope(
            withGroups: configuration.services.values.contains { !$0.groups.isEmpty },
            findingPeopleBy: configuration.people.claim)
    }

    // MARK: Questions

    private func metadata() async throws(EndedError) -> AuthorizationServerMetadata {
        let endpoint = try endpoint(configuration.issuer.appending(".well-known/openid-configuration"))
        let answer = try await send(endpoint.request(.get), [])
        guard answer.response.status == .ok,
            let metadata = try? answer.decoded(AuthorizationServerMetadata.self, orAs: HTTPAnswer.staticMedia)
        else {
            throw EndedError(
                "server", "\(address) answers with status \(answer.response.status.code).", "Mend issuer.")
        }
        guard [address, "\(address)/"].contains(metadata.issuer) else {
            throw EndedError("server", "The server at \(address) is \(metadata.issuer.shown).", "Mend issuer.")
        }
        return metadata
    }

    /// The grant types that the client may not use. The codes are none, so that nothing is redeemed.
    private func refusedGrants(of client: HostClient, at token: String?) async throws(EndedError) -> Set<GrantType> {
        let requests: [TokenRequest] = [
            .backchannelAuthentication(AuthenticationRequestID(revealing: "unknown")),
            .deviceCode(DeviceCode(revealing: "unknown")),
            .refresh(RefreshToken(revealing: "unknown"), scope: Scope([])),
        ]
        var refused: Set<GrantType> = []
        for request in requests {
            let code = try await refusal(of: request.form, by: client, at: token)
            if code == .unauthorizedClient || code == .unsupportedGrantType { refused.insert(request.grantType) }
        }
        return refused
    }

    /// The words of the scope that the client may not have. The server omits them where others are left, so it is asked
    /// for each; nobody sees the codes that it makes.
    private func refusedScope(
        of client: HostClient, at deviceAuthorization: String?
    ) async throws(EndedError) -> [ScopeWord] {
        var refused: [ScopeWord] = []
        for word in scope.words {
            let code = try await refusal(of: ["scope": word.rawValue], by: client, at: deviceAuthorization)
            if code == .invalidScope { refused.append(word) }
        }
        return refused
    }

    /// The problems of evidence that the server does not let the client ask for on people's devices, as a number without
    /// its being shown. It says so before it looks for the person, who is nobody.
    private func unmetEvidence(
        of client: HostClient, at backchannel: String?
    ) async throws(EndedError) -> [Finding] {
        guard let nobody = PeopleMapping.Expectation.nobody(isAskedByName: true).loginHint else { return [] }
        let asked = Set(ways.filter { $0.ways.contains(.push) }.map(\.rule.evidence))
        var problems: [Finding] = []
        for evidence in asked.sorted(by: { $0.map(\.rawValue).lexicographicallyPrecedes($1.map(\.rawValue)) }) {
            var request = BackchannelAuthenticationRequest(for: .login(nobody), scope: Scope([.openid]))
            request.acrValues = evidence.map(\.rawValue)
            request.requestedExpiry = 1
            guard try await refusal(of: request.form, by: client, at: backchannel) == .unmetAuthenticationRequirements
            else { continue }
            let names = PAMServiceRule.names(of: evidence).joined(separator: " or ")
            problems.append(
                .problem(
                    "client",
                    "The client \(client.id) may not ask people on their devices\(names.isEmpty ? "" : " for \(names)"): the "
                        + "server says that no approval there can prove enough.",
                    evidence.contains(.number)
                        ? "On the server: countersign admin client change \(client.id) --back-channel-number on"
                        : "Look at minimum-evidence of the server and of the client, and change ways of the rules."))
        }
        return problems
    }

    /// The error by which an endpoint refuses a form; `nil` for none.
    private func refusal(of form: Form, by client: HostClient, at place: String?) async throws(EndedError) -> OAuthError
        .Code?
    {
        let endpoint = try endpoint(place ?? "")
        var (form, request) = (form, endpoint.request(.post))
        request.headerFields[.contentType] = Form.mediaType
        let secret = client.identity.secret
        if let secret {
            request.headerFields[.authorization] = PresentedCredentials.basicHeader(client: client.id, secret: secret)
        } else {
            form["client_id"] = client.id.rawValue
        }
        let answer = try await send(request, Array(form.encoded.utf8))
        guard answer.response.status != .ok else { return nil }
        guard let code = (try? answer.decoded(OAuthErrorResponse.self))?.error else {
            throw EndedError(
                "server", "\(address) answers a question of the client with status \(answer.response.status.code).",
                "Try again later, and look at the server's log.")
        }
        guard code != .invalidClient else {
            throw EndedError(
                "client",
                "The server does not accept the client \(client.id) with\(secret == nil ? "out a" : " its") secret.",
                client.registration)
        }
        return code
    }

    private func endpoint(_ text: String) throws(EndedError) -> Endpoint {
        do throws(Endpoint.ParsingError) {
            return try Endpoint(text)
        } catch {
            throw EndedError("server", "‘\(text.shown)’ is no address of a server.", "Mend issuer.")
        }
    }

    private func send(_ request: HTTPRequest, _ body: [UInt8]) async throws(EndedError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await transport.send(request, body: body, within: PAMSigningIn.requestLimit)
        } catch {
            throw EndedError(
                "server", "\(address) cannot be reached (\(error.description.shown)).",
                "Until it can, the fallback of each service decides.")
        }
    }
}
