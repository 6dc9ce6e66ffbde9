import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

/// The messages of an app and a provider, replayed to our client: the same requests, and their outcomes.
@Suite("An exchange that was recorded with another client")
struct RecordedExchangesTests {
    let transport = ScriptedTransport()
    let domain = Domain(RecordedExchange.domain)
    let identity = CrossPlatformIdentity(
        client: ClientID("407"),
        secret: ClientSecret(revealing: "d6d2f5a1c3f94e7f8b0a9e6c5d4b3a29")
    )
    let code = DeviceCode(revealing: "197bf88c-749a-42e2-93f0-e206bac2252f")
    let provider: CrossPlatformClient

    init() throws {
        provider = CrossPlatformClient(
            address: try Issuer("https://cpa.rts.example"),
            context: RequesterContext(over: transport, clock: .system, random: .system),
            options: SignInOptions()
        )
    }

    @Test func `gives an identity`() async throws {
        let software = ClientRegistrationRequest(
            clientName: "Test Client",
            softwareID: "ch.ebu.cpa.tests",
            softwareVersion: "1.0"
        )
        let registered = try await replay(.registerClient) { () async throws(StepError) in
            try await provider.register(software)
        }
        #expect(registered == identity)
    }

    @Test func `gives a code`() async throws {
        let association = try await replay(.requestCode) { () async throws(StepError) in
            try await provider.associate(identity, for: domain)
        }
        #expect(association.deviceCode == code)
        #expect(association.shape == .code(UserCodeText("AfZQNVkR"), at: "https://cpa.rts.example", interval: 5))
        #expect(association.expiresIn == 3_599)
    }

    @Test(arguments: [
        (RecordedExchange.requestClientToken, nil), (.refreshTokenClient, nil), (.refreshTokenUser, "Maria Muster"),
    ])
    func `gives a token to the device itself`(exchange: RecordedExchange, user: String?) async throws {
        let response = try await replay(exchange) { () async throws(StepError) in
            try await provider.token(of: identity, for: domain)
        }
        #expect(response.userName == user)
        #expect(response.domainDisplayName == "RTS")
        #expect(response.expiresIn == 2_591_999)
    }

    @Test func `gives a person's token`() async throws {
        let answer = try await replay(.requestUserToken) { () async throws(SignInError) in
            try await provider.poll(code, of: identity, for: domain, holding: nil, showing: NumberPreference())
        }
        guard case .granted(let response) = answer else { throw SignInError(.badAnswer, because: "\(answer)") }
        #expect(response.userName == "Maria Muster")
        #expect(response.accessToken.revealed == "bd4b7be7f2a94f7f8b0d8d0cbb8e7a31")
    }

    @Test(arguments: [
        (RecordedExchange.requestUserTokenPending, PollResult<CrossPlatformTokenResponse>.pending(held: nil)),
        (.requestUserTokenSlowDown, .slowDown(retryIn: nil, description: "Polling too frequently")),
        (.requestUserTokenDenied, .denied(SignInError(says(.cancelled, "User denied access")))),
        (.requestUserTokenExpired, .expired(SignInError(says(.expired, "Pairing code expired")))),
        (.requestUserTokenInvalidClient, .refused(SignInError(says(.invalidClient, "Client not found")))),
    ])
    func `says why there is no token yet, or none at all`(
        exchange: RecordedExchange,
        expected: PollResult<CrossPlatformTokenResponse>
    ) async throws {
        let answer = try await replay(exchange) { () async throws(SignInError) in
            try await provider.poll(code, of: identity, for: domain, holding: nil, showing: NumberPreference())
        }
        #expect(answer == expected)
        #expect(answer.error?.reason == expected.error?.reason)
    }

    @Test func `refuses a client that the provider does not know, in the provider's words`() async throws {
        let failures = [
            try await failure(of: .requestCodeInvalidClient) { () async throws(StepError) in
                try await provider.associate(identity, for: domain)
            },
            try await failure(of: .requestClientTokenInvalidClient) { () async throws(StepError) in
                try await provider.token(of: identity, for: domain)
            },
        ]
        for failure in failures {
            guard case .final(let error) = failure else { throw SignInError(.badAnswer, because: "\(failure)") }
            #expect(error == SignInError(.clientRefused, because: ""))
            #expect(error.providerCode == "invalid_client")
            #expect(error.providerDescription == "Client not found")
        }
    }

    /// The other client took it for a token without a value.
    @Test func `is no token when every member is null`() async throws {
        let failure = try await failure(of: .refreshTokenWithNull) { () async throws(StepError) in
            try await provider.token(of: identity, for: domain)
        }
        guard case .final(let error) = failure else { throw SignInError(.badAnswer, because: "\(failure)") }
        #expect(error == SignInError(.badAnswer, because: ""))
    }

    @Test(arguments: ["/register", "/associate", "/token"])
    func `that is cut off tells of the network's own reason`(path: String) async throws {
        transport.reply(at: path, with: .failure(TransportError(.interrupted, because: "the line went dead")))
        let software = ClientRegistrationRequest(clientName: "a", softwareID: "b", softwareVersion: "c")
        do throws(StepError) {
            switch path {
            case "/register": _ = try await provider.register(software)
            case "/associate": _ = try await provider.associate(identity, for: domain)
            default: _ = try await provider.token(of: identity, for: domain)
            }
            Issue.record("an answer came")
        } catch {
            guard case .temporaryFailure(.interrupted, retryAfter: nil, let reason) = error else {
                throw SignInError(.badAnswer, because: "\(error)")
            }
            #expect(reason == "interrupted: the line went dead")
        }
    }

    static func says(_ code: CrossPlatformError.Code, _ words: String) -> CrossPlatformErrorResponse {
        CrossPlatformErrorResponse(CrossPlatformError(code, words, because: ""))
    }

    /// Answers as it was recorded, and makes sure that we ask as it was recorded.
    private func replay<Value, Failure: Error>(
        _ exchange: RecordedExchange,
        _ act: () async throws(Failure) -> Value
    ) async throws -> Value {
        transport.reply(at: exchange.path, with: exchange.reply)
        let value = try await act()
        let sent = try #require(transport.sent().last)
        #expect(sent.request.method == .post)
        #expect(sent.path == exchange.path)
        #expect(sent.request.headerFields[.contentType] == "application/json")
        #expect(sent.request.headerFields[.authorization] == nil)
        #expect(String(decoding: sent.body, as: UTF8.self) == exchange.request)
        return value
    }

    private func failure<Value>(
        of exchange: RecordedExchange,
        _ act: () async throws(StepError) -> Value
    ) async throws -> StepError {
        transport.reply(at: exchange.path, with: exchange.reply)
        do throws(StepError) {
            _ = try await act()
        } catch {
            return error
        }
        throw SignInError(.badAnswer, because: "an answer came")
    }
}
