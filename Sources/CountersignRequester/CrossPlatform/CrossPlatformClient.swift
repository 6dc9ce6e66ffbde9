internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The identity of this device at an authorization provider, for all its services.
///
/// Standard: ETSI TS 103 407 §8.2.
struct CrossPlatformIdentity: Sendable, Equatable {
    let client: ClientID
    let secret: ClientSecret
}

/// Talks to the endpoints of an authorization provider.
struct CrossPlatformClient: Sendable {
    /// The base address, below which the endpoints are.
    let address: Issuer
    let context: RequesterContext
    /// Time limits, and whether plain http is allowed.
    let options: SignInOptions

    /// Registers this device, and returns its identity.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    ///
    /// - Throws: ``StepError``, also when the identity is incomplete.
    func register(_ software: ClientRegistrationRequest) async throws(StepError) -> CrossPlatformIdentity {
        let response: ClientRegistrationResponse = try await message(from: "register", answering: software)
        guard !response.client.rawValue.isEmpty, !response.secret.revealed.isEmpty else {
            throw .unreadable(because: "an identity without a name or a secret")
        }
        return CrossPlatformIdentity(client: response.client, secret: response.secret)
    }

    /// Asks to be associated with a person for `domain`.
    ///
    /// Standard: ETSI TS 103 407 §8.3.
    func associate(_ identity: CrossPlatformIdentity, for domain: Domain) async throws(StepError)
        -> AssociationResponse
    {
        let asked = AssociationRequest(client: identity.client, secret: identity.secret, domain: domain)
        return try await message(from: "associate", answering: asked, preferring: options.startPreferences)
    }

    /// Asks for the token that the identity alone gets; it replaces the previous one.
    ///
    /// Standard: ETSI TS 103 407 §8.4.1.1, §8.4.1.3.
    func token(of identity: CrossPlatformIdentity, for domain: Domain) async throws(StepError)
        -> CrossPlatformTokenResponse
    {
        let asked = CrossPlatformTokenRequest(
            client: identity.client, secret: identity.secret, domain: domain, grant: .clientCredentials)
        return try await message(from: "token", answering: asked) { $0.problem(for: domain) }
    }

    /// Asks once for the token of a device code.
    ///
    /// Standard: ETSI TS 103 407 §8.4.1.2.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ code: DeviceCode,
        of identity: CrossPlatformIdentity,
        for domain: Domain,
        holding wait: WaitPreference?,
        showing number: NumberPreference
    ) async throws(SignInError) -> PollResult<CrossPlatformTokenResponse> {
        let asked = CrossPlatformTokenRequest(
            client: identity.client, secret: identity.secret, domain: domain, grant: .deviceCode(code))
        let preferences = [wait?.headerValue, options.number == nil ? nil : number.headerValue]
        let (request, body) = try self.request("token", asked, preferring: preferences)
        do throws(TransportError) {
            let limit = options.timeLimit + .seconds(wait?.seconds ?? 0)
            let answer = try await context.transport.send(request, body: body, within: limit)
            return PollResult(crossPlatform: answer) { $0.problem(for: domain) }
        } catch {
            return try PollResult(error)
        }
    }

    /// Sends a message to an endpoint, and returns the message in its answer.
    ///
    /// - Parameter problem: Returns the reason that the message in the answer cannot be used; `nil` when it can.
    private func message<Message: Decodable & Sendable & Equatable>(
        from endpoint: String,
        answering asked: some Encodable,
        preferring preferences: [String?] = [],
        _ problem: (Message) -> String? = { _ in nil }
    ) async throws(StepError) -> Message {
        let answer: HTTPAnswer
        do {
            let (request, body) = try request(endpoint, asked, preferring: preferences)
            answer = try await context.transport.send(request, body: body, within: options.timeLimit)
        } catch let error as TransportError {
            throw error.stepFailure
        } catch {
            throw .final(SignInError(catching: error))
        }
        switch PollResult(crossPlatform: answer, problem: problem) {
        case .granted(let message):
            return message
        case .pending:
            throw .unreadable(because: "a decision is pending where no person was asked")
        case .failed(let temporaryFailure, let retryAfter, let reason):
            throw .temporaryFailure(temporaryFailure, retryAfter: retryAfter, because: reason)
        case .slowDown(let retryIn, retryAfter: _, let description):
            let word = CrossPlatformError.Code.slowDown.rawValue
            let error = SignInError(.tooFast, providerCode: word, providerDescription: description)
            throw .tooFast(error, retryIn: retryIn)
        case .refused(let error) where error.code == .badAnswer && answer.response.status == .notFound:
            throw .final(SignInError(.noServerFound, because: error.reason))
        case .denied(let error), .expired(let error), .refused(let error):
            throw .final(error)
        }
    }

    /// A message as JSON by `POST`.
    private func request(
        _ endpoint: String,
        _ message: some Encodable,
        preferring preferences: [String?]
    ) throws(SignInError) -> (HTTPRequest, body: [UInt8]) {
        let insecure = options.allowingInsecureHTTP
        let place = try Endpoint(address.appending(endpoint), named: "the provider", allowingInsecureHTTP: insecure)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(message) else {
            throw SignInError(.badAnswer, because: "the message cannot be written as JSON")
        }
        var request = place.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.prefer(preferences)
        return (request, Array(body))
    }
}
