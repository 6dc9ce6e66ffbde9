internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// Finds a server's endpoints by its issuer.
///
/// Standard: RFC 8414 §3 (the first address), OpenID Connect Discovery 1.0 §4 (the second).
struct ServerDiscovery: Sendable {
    /// The flows that need the server for more than its token endpoint.
    enum Flow: Sendable {
        /// To show a code.
        case deviceAuthorization
        /// Addresses for a browser or another app.
        case authorizationCode
        /// To ask a person over the back channel.
        case backchannel
        /// To renew and revoke tokens.
        case tokens
    }

    /// The address given to the app.
    let issuer: Issuer
    let transport: any HTTPTransport
    /// Time limits, and whether plain http will do.
    let options: SignInOptions
    /// Whether an ID token will have to be verified.
    let needsKeys: Bool
    /// The flow that needs the server.
    var flow = Flow.deviceAuthorization

    /// Reads the server's metadata, at the first address that has them.
    ///
    /// - Throws: ``StepError``: a temporary one if an address could not answer, otherwise the most specific error.
    func server() async throws(StepError) -> VerifiedServer {
        let places = [
            issuer.wellKnown("oauth-authorization-server"), issuer.appending(".well-known/openid-configuration"),
        ]
        var failure: StepError?
        for place in places {
            switch try await metadata(at: place) {
            case .description(let metadata):
                do throws(SignInError) {
                    return try described(by: metadata)
                } catch {
                    guard error.code == .flowNotOffered else { throw .final(error) }
                    failure = .final(error)
                }
            case .nothing: continue
            case .temporaryFailure(let temporaryFailure): failure = failure ?? temporaryFailure
            }
        }
        throw failure ?? .final(SignInError(.noServerFound, because: "no metadata at \(issuer)"))
    }

    /// The result of looking at one address.
    private enum LookUpResult {
        /// Verified by ``described(by:)`` before it is used.
        case description(AuthorizationServerMetadata)
        /// The address has no metadata.
        case nothing
        /// The address could not answer.
        case temporaryFailure(StepError)
    }

    /// Reads the metadata at one address.
    private func metadata(at place: String) async throws(StepError) -> LookUpResult {
        let endpoint: Endpoint
        do throws(SignInError) {
            endpoint = try Endpoint(place, named: "the issuer", allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw .final(error)
        }
        let answer = try await transport.answer(to: endpoint.request(.get), within: options.timeLimit)
        if let stepFailure = answer.stepFailure { return .temporaryFailure(stepFailure) }
        guard answer.response.status == .ok,
            let metadata = try? answer.decoded(AuthorizationServerMetadata.self, orAs: HTTPAnswer.staticMedia)
        else { return .nothing }
        return .description(metadata)
    }

    /// Accepts metadata if they are the issuer's own and complete.
    ///
    /// A slash at the very end makes no difference, because ``Issuer`` drops it and some servers write it.
    /// Standard: RFC 8414 §3.3.
    private func described(by metadata: AuthorizationServerMetadata) throws(SignInError) -> VerifiedServer {
        guard metadata.issuer == issuer.text || metadata.issuer == "\(issuer.text)/" else {
            let name = DeviceAuthorizationRequest.presentable(metadata.issuer, upTo: 200) ?? ""
            throw SignInError(.issuerMismatch, because: "asked \(issuer), found \(name)")
        }
        guard let token = try endpoint(metadata.tokenEndpoint, named: "token_endpoint") else {
            throw SignInError(.flowNotOffered, because: "no token endpoint in the metadata")
        }
        let codes = try endpoint(
            metadata.deviceAuthorizationEndpoint, named: "device_authorization_endpoint",
            isNeeded: flow == .deviceAuthorization)
        let authorization = try endpoint(
            metadata.authorizationEndpoint, named: "authorization_endpoint", isNeeded: flow == .authorizationCode)
        let pushed = try endpoint(
            metadata.pushedAuthorizationRequestEndpoint, named: "pushed_authorization_request_endpoint",
            isNeeded: flow == .authorizationCode && metadata.requirePushedAuthorizationRequests == true)
        let backchannel = try endpoint(
            metadata.backchannelAuthenticationEndpoint, named: "backchannel_authentication_endpoint",
            isNeeded: flow == .backchannel)
        switch flow {
        case .deviceAuthorization where codes == nil:
            throw SignInError(.flowNotOffered, because: "no endpoint for device authorization in the metadata")
        case .authorizationCode where authorization == nil:
            throw SignInError(.flowNotOffered, because: "no endpoint for authorization in the metadata")
        case .backchannel where backchannel == nil:
            throw SignInError(.flowNotOffered, because: "no endpoint for the back channel in the metadata")
        case .deviceAuthorization, .authorizationCode, .backchannel, .tokens:
            break
        }
        let keys = try endpoint(metadata.keysURI, named: "jwks_uri", isNeeded: needsKeys)
        guard keys != nil || !needsKeys else {
            throw SignInError(.identityRefused, because: "the server names no keys to verify its word by")
        }
        return VerifiedServer(
            issuer: metadata.issuer,
            deviceAuthorization: codes,
            backchannel: backchannel,
            authorization: authorization,
            pushedAuthorization: pushed,
            requiresPushedAuthorization: metadata.requirePushedAuthorizationRequests ?? false,
            namesIssuer: metadata.authorizationResponseIssParameterSupported ?? false,
            token: token,
            revocation: try endpoint(metadata.revocationEndpoint, named: "revocation_endpoint", isNeeded: false),
            endSession: try endpoint(metadata.endSessionEndpoint, named: "end_session_endpoint", isNeeded: false),
            userInfo: try endpoint(metadata.userInfoEndpoint, named: "userinfo_endpoint", isNeeded: false),
            keys: keys,
            exchangeNonce: try endpoint(
                metadata.exchangeNonceEndpoint, named: "exchange_nonce_endpoint", isNeeded: false),
            tokenMethods: metadata.tokenEndpointAuthMethodsSupported,
            revocationMethods: metadata.revocationEndpointAuthMethodsSupported
                ?? metadata.tokenEndpointAuthMethodsSupported,
            bindsTokens: metadata.dpopSigningAlgValuesSupported?.contains(SigningAlgorithm.es256.rawValue) ?? false,
            takesRequestIDs: metadata.requestIDParameterSupported ?? false,
            longestService: metadata.serviceMaxLifetime
        )
    }

    /// Reads an endpoint's URL; `nil` when the metadata name none, or one that cannot be used and is not needed.
    private func endpoint(_ text: String?, named name: String, isNeeded: Bool = true) throws(SignInError) -> Endpoint? {
        guard let text else { return nil }
        do throws(SignInError) {
            return try Endpoint(text, named: name, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            guard isNeeded else { return nil }
            throw error
        }
    }
}
