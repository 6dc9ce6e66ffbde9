internal import Countersign
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// Checks whether the server answers, and accepts a host as its client with the grant types and scope that its rules need.
///
/// It redeems codes that do not exist, by which nobody is asked.
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
    private var client: ClientID { configuration.client.id }

    var findings: [Finding] {
        get async {
            do throws(EndedError) {
                let metadata = try await metadata()
                let refused = try await refusedGrants(at: metadata.tokenEndpoint)
                var problems = needs.filter { refused.contains($0.grant) }.map { need in
                    Finding.problem(
                        "client",
                        "The client \(client) may not use the grant type \(need.word), which \(need.purpose).",
                        "On the server: countersign admin client change \(client) --grant \(Self.allGrants)")
                }
                if !refused.contains(.deviceCode) {
                    for word in try await refusedScope(at: metadata.deviceAuthorizationEndpoint) {
                        problems.append(
                            .problem(
                                "client", "The client \(client) may not have the scope \(word).",
                                "On the server: countersign admin client change \(client) --scope \"\(scope)\""))
                    }
                }
                let answers = Finding.fine("server", "\(address) answers.")
                return [answers] + (problems.isEmpty ? [.fine("client", "The server accepts \(client).")] : problems)
            } catch {
                return [error.finding]
            }
        }
    }

    // MARK: Needs

    private static let allGrants = "ciba,device_code,refresh_token"

    /// A grant type that rules need.
    private struct Need {
        let grant: GrantType
        let word: String
        let purpose: String
    }

    private var needs: [Need] {
        let rules = configuration.services.values
        let isPublic = configuration.client.secret == nil
        let isByClaim = configuration.people.claim != nil
        var needs: [Need] = []
        if !isPublic, !isByClaim, rules.contains(where: { $0.ways.contains(.push) }) {
            needs.append(Need(grant: .backchannelAuthentication, word: "ciba", purpose: "asks people on their devices"))
        }
        if rules.contains(where: { isPublic || isByClaim || !$0.ways.contains(.push) }) {
            needs.append(Need(grant: .deviceCode, word: "device_code", purpose: "shows codes"))
        }
        if rules.contains(where: \.endsWithSignOut) {
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
    private func refusedGrants(at token: String?) async throws(EndedError) -> Set<GrantType> {
        let requests: [TokenRequest] = [
            .backchannelAuthentication(AuthenticationRequestID(revealing: "unknown")),
            .deviceCode(DeviceCode(revealing: "unknown")),
            .refresh(RefreshToken(revealing: "unknown"), scope: Scope([])),
        ]
        var refused: Set<GrantType> = []
        for request in requests {
            let code = try await refusal(of: request.form, at: token)
            if code == .unauthorizedClient || code == .unsupportedGrantType { refused.insert(request.grantType) }
        }
        return refused
    }

    /// The words of the scope that the client may not have. The server omits them where others are left, so it is asked
    /// for each; nobody sees the codes that it makes.
    private func refusedScope(at deviceAuthorization: String?) async throws(EndedError) -> [ScopeWord] {
        var refused: [ScopeWord] = []
        for word in scope.words {
            let code = try await refusal(of: ["scope": word.rawValue], at: deviceAuthorization)
            if code == .invalidScope { refused.append(word) }
        }
        return refused
    }

    /// The error by which an endpoint refuses a form; `nil` for none.
    private func refusal(of form: Form, at place: String?) async throws(EndedError) -> OAuthError.Code? {
        let endpoint = try endpoint(place ?? "")
        var (form, request) = (form, endpoint.request(.post))
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        if let secret = configuration.client.secret {
            request.headerFields[.authorization] = PresentedCredentials.basicHeader(client: client, secret: secret)
        } else {
            form["client_id"] = client.rawValue
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
                "client", "The server does not accept the client \(client) with its secret.",
                "Compare client and the contents of secret-file with the server's: countersign admin client list")
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
