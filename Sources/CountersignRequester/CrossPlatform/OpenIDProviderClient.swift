internal import Countersign
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The identity of this device at an authorization provider, for all its services.
///
/// Standard: ETSI TS 103 407 §8.2.
struct ProviderIdentity: Sendable, Equatable {
    let client: ClientID
    let secret: ClientSecret
}

/// Talks to the endpoints of an authorization provider.
struct OpenIDProviderClient: Sendable {
    /// The base address, below which the endpoints are.
    let address: Issuer
    let transport: any HTTPTransport
    /// Time limits, and whether plain http is allowed.
    let options: SignInOptions

    /// Registers this device, and returns its identity.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    ///
    /// - Throws: ``StepFailure``, also when the identity is incomplete.
    func register(_ software: ClientRegistrationRequest) async throws(StepFailure) -> ProviderIdentity {
        let response: ClientRegistrationResponse = try await message(from: "register", answering: software)
        guard !response.client.rawValue.isEmpty, !response.secret.revealed.isEmpty else {
            throw .final(SignInError(.badAnswer, because: "an identity without a name or a secret"))
        }
        return ProviderIdentity(client: response.client, secret: response.secret)
    }

    /// Asks to be associated with a person for `domain`.
    ///
    /// Standard: ETSI TS 103 407 §8.3.
    func associate(_ identity: ProviderIdentity, for domain: Domain) async throws(StepFailure) -> AssociationResponse {
        let asked = AssociationRequest(client: identity.client, secret: identity.secret, domain: domain)
        return try await message(from: "associate", answering: asked, preferring: options.startPreferences)
    }

    /// Asks for the token that the identity alone gets; it replaces the previous one.
    ///
    /// Standard: ETSI TS 103 407 §8.4.1.1, §8.4.1.3.
    func token(of identity: ProviderIdentity, for domain: Domain) async throws(StepFailure)
        -> CrossPlatformTokenResponse
    {
        let asked = CrossPlatformTokenRequest(
            client: identity.client,
            secret: identity.secret,
            domain: domain,
            grant: .clientCredentials
        )
        let response: CrossPlatformTokenResponse = try await message(from: "token", answering: asked)
        if let problem = response.problem(for: domain) { throw .final(SignInError(.badAnswer, because: problem)) }
        return response
    }

    /// Asks once for the token of a device code.
    ///
    /// Standard: ETSI TS 103 407 §8.4.1.2.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ code: DeviceCode,
        of identity: ProviderIdentity,
        for domain: Domain,
        holding wait: WaitPreference?,
        showing number: NumberPreference
    ) async throws(SignInError) -> CrossPlatformPolling.Answer {
        let asked = CrossPlatformTokenRequest(
            client: identity.client,
            secret: identity.secret,
            domain: domain,
            grant: .deviceCode(code)
        )
        do throws(StepFailure) {
            let preferences = [wait?.headerValue, options.number == nil ? nil : number.headerValue]
            let answer = try await send(asked, to: "token", preferring: preferences, heldFor: wait)
            return CrossPlatformPolling.Answer(answer, for: domain)
        } catch {
            switch error {
            case .temporaryFailure(let temporaryFailure, let retryAfter, because: _):
                return .failed(temporaryFailure, retryAfter: retryAfter)
            case .tooFast(_, let retryIn):
                return .slowDown(retryIn: retryIn)
            case .final(let failure):
                // A network that cannot be trusted now may be another one in a minute.
                if failure.code == .notTrusted { return .failed(.notTrusted, retryAfter: nil) }
                guard failure.code == .cancelled else { return .unreadable(because: failure.reason) }
                throw failure
            }
        }
    }

    /// Sends a message to an endpoint, and returns the message in its answer.
    private func message<Message: Decodable & Sendable>(
        from endpoint: String,
        answering asked: some Encodable,
        preferring preferences: [String?] = []
    ) async throws(StepFailure) -> Message {
        let answer = try await send(asked, to: endpoint, preferring: preferences)
        switch answer.read(Message.self) {
        case .message(let message):
            return message
        case .pending:
            throw .final(SignInError(.badAnswer, because: "a decision is pending where no person was asked"))
        case .failed(let temporaryFailure, let retryAfter, let reason):
            throw .temporaryFailure(temporaryFailure, retryAfter: retryAfter, because: reason)
        case .unreadable(let reason):
            let isNowhere = answer.response.status == .notFound
            throw .final(SignInError(isNowhere ? .noServerFound : .badAnswer, because: reason))
        case .refused(let refusal):
            let error = SignInError(refusal)
            guard refusal.error == .slowDown else { throw .final(error) }
            throw .tooFast(error, retryIn: refusal.retryIn.map { RetryAfter(seconds: $0) })
        }
    }

    /// Sends a message as JSON by `POST`, with a time limit that includes the time that the server may hold it.
    ///
    /// - Throws: ``StepFailure`` when no whole answer came: as a temporary failure, unless trying again is of no use.
    private func send(
        _ message: some Encodable,
        to endpoint: String,
        preferring preferences: [String?] = [],
        heldFor wait: WaitPreference? = nil
    ) async throws(StepFailure) -> HTTPAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let place: Endpoint
        let body: [UInt8]
        do {
            let insecure = options.allowingInsecureHTTP
            place = try Endpoint(address.appending(endpoint), named: "the provider", allowingInsecureHTTP: insecure)
            body = Array(try encoder.encode(message))
        } catch {
            throw .final(SignInError(catching: error))
        }
        var request = place.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.prefer(preferences)
        do throws(TransportError) {
            return try await transport.send(
                request, body: body, within: options.timeLimit + .seconds(wait?.seconds ?? 0))
        } catch {
            throw error.stepFailure
        }
    }
}
