import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

extension CrossPlatformProviderTests {
    @Suite("and failures")
    struct WhenItFails {
        let provider = SmallProvider()
        let radio = SmallProvider.radio

        @Test func `begins anew when the provider does not know the device any more`() async throws {
            let app = CrossPlatformApp(at: provider)
            _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
            _ = try await app.provider().requestToken(for: SmallProvider.tv, ofType: .client)
            provider.forgets("1")
            let screen = RecordingPresentation()
            let token = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            #expect(token.type == .user)
            #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
            // The tokens of the old identity are gone.
            #expect(try await app.provider().tokens() == [token])
            #expect(provider.registrations == 2)
        }

        @Test func `begins anew for the device's own token too`() async throws {
            let app = CrossPlatformApp(at: provider)
            _ = try await app.provider().requestToken(for: radio, ofType: .client)
            provider.forgets("1")
            let token = try await app.provider().requestToken(for: radio, ofType: .client)
            #expect(token.accessToken.revealed == "token-2")
        }

        @Test func `begins anew in front of the person, with one show and one dismiss`() async throws {
            let transport = Self.scripted()
            transport.reply(
                at: "/ap/token",
                with: RecordedExchange.requestUserTokenInvalidClient.reply,
                RecordedExchange.requestUserToken.reply
            )
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            let token = try await app.provider()
                .requestToken(for: Domain(RecordedExchange.domain), ofType: .user, presenting: screen)
            #expect(token.userName == "Maria Muster")
            let code = UserCodeText("AfZQNVkR")
            #expect(await screen.calls == [.show(code), .replace(code), .dismiss])
        }

        @Test func `begins anew once only`() async throws {
            let transport = Self.scripted()
            transport.reply(at: "/ap/token", with: RecordedExchange.requestClientTokenInvalidClient.reply)
            let app = CrossPlatformApp(at: transport)
            let error = await Self.error {
                try await app.provider().requestToken(for: Domain(RecordedExchange.domain), ofType: .client)
            }
            #expect(error == SignInError(.clientRefused, because: ""))
            #expect(error?.providerCode == "invalid_client")
            #expect(error?.providerDescription == "Client not found")
            #expect(transport.sent(to: "/ap/register").count == 2)
            #expect(transport.sent(to: "/ap/token").count == 2)
        }

        @Test func `keeps what it has when it cannot register anew`() async throws {
            let app = CrossPlatformApp(at: provider)
            let token = try await app.provider().requestToken(for: radio, ofType: .client)
            let transport = Self.scripted()
            transport.reply(at: "/ap/token", with: RecordedExchange.requestClientTokenInvalidClient.reply)
            transport.reply(at: "/ap/register", with: .failure(TransportError(.notReached, because: "no network")))
            let broken = CrossPlatformProvider(
                at: try app.provider().address,
                as: try app.provider().software,
                keepingTokensIn: app.store,
                in: RequesterContext(over: transport, clock: app.clock.skipping, random: .system)
            )
            await #expect(throws: SignInError(.notReachable, because: "")) {
                try await broken.requestToken(for: radio, ofType: .client)
            }
            #expect(try await app.provider().token(for: radio) == token)
        }

        @Test(arguments: [
            (RecordedExchange.requestUserTokenDenied, SignInError.Code.denied, "User denied access"),
            (.requestUserTokenExpired, .expired, "Pairing code expired"),
        ])
        func `says no in the provider's words`(
            exchange: RecordedExchange,
            code: SignInError.Code,
            words: String
        ) async throws {
            let transport = Self.scripted()
            transport.reply(at: "/ap/token", with: RecordedExchange.requestUserTokenPending.reply, exchange.reply)
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            let error = await Self.error {
                try await app.provider()
                    .requestToken(for: Domain(RecordedExchange.domain), ofType: .user, presenting: screen)
            }
            #expect(error?.code == code)
            #expect(error?.providerDescription == words)
            #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
            #expect(try await app.provider().tokens().isEmpty)
        }

        @Test func `says so when it wants to be asked less often`() async throws {
            let transport = Self.scripted()
            let body = #"{"error":"slow_down","error_description":"Too many devices","retry_in":3600}"#
            let limited = ScriptedTransport.Reply.text(body, type: "application/json", status: .tooManyRequests)
            transport.reply(at: "/ap/register", with: limited)
            let app = CrossPlatformApp(at: transport)
            let error = await Self.error { try await app.provider().requestToken(for: radio, ofType: .client) }
            #expect(error == SignInError(.tooFast, because: ""))
            #expect(error?.providerCode == "slow_down")
            #expect(error?.providerDescription == "Too many devices")
            #expect(transport.sent(to: "/ap/register").count == 1)
        }

        @Test func `is asked again when it wanted to be asked less often for a moment`() async throws {
            let transport = Self.scripted()
            let body = #"{"error":"slow_down","retry_in":7}"#
            let limited = ScriptedTransport.Reply.text(body, type: "application/json", status: .badRequest)
            transport.reply(at: "/ap/token", with: limited, RecordedExchange.requestClientToken.reply)
            let app = CrossPlatformApp(at: transport)
            let start = app.clock.date
            _ = try await app.provider().requestToken(for: Domain(RecordedExchange.domain), ofType: .client)
            #expect(app.clock.date == start + 7)
        }

        @Test(arguments: [
            (TransportError(.notReached, because: "no route"), SignInError.Code.notReachable),
            (TransportError(.interrupted, because: "the line went dead"), .notReachable),
            (TransportError(.notTrusted, because: "self-signed"), .notTrusted),
        ])
        func `cannot be asked, and the network says why`(error: TransportError, code: SignInError.Code) async throws {
            let transport = ScriptedTransport(["/ap/register": [.failure(error)]])
            let app = CrossPlatformApp(at: transport)
            let thrown = await Self.error { try await app.provider().requestToken(for: radio, ofType: .client) }
            #expect(thrown?.code == code)
            #expect(thrown?.reason.contains(error.reason) == true)
            #expect(thrown?.providerCode == nil)
        }

        @Test func `is waited for through temporaryFailure, which the screen is told of`() async throws {
            let transport = Self.scripted()
            transport.reply(
                at: "/ap/token",
                with: .failure(TransportError(.notReached, because: "")),
                .status(.serviceUnavailable),
                RecordedExchange.requestUserTokenPending.reply,
                RecordedExchange.requestUserToken.reply
            )
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            _ = try await app.provider()
                .requestToken(for: Domain(RecordedExchange.domain), ofType: .user, presenting: screen)
            let failures = await screen.told.compactMap { event in
                if case .temporaryFailure(let temporaryFailure, retryingAt: _) = event { temporaryFailure } else { nil }
            }
            #expect(failures == [.notReachable, .busy])
        }

        @Test(arguments: [TransportError.Code.interrupted, .timedOut])
        func `is asked the same again when the answer with a person's token was lost`(
            code: TransportError.Code
        ) async throws {
            let transport = Self.scripted()
            transport.reply(
                at: "/ap/token",
                with: .failure(TransportError(code, because: "the line went dead")),
                RecordedExchange.requestUserToken.reply
            )
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            let start = app.clock.date
            let token = try await app.provider()
                .requestToken(for: Domain(RecordedExchange.domain), ofType: .user, presenting: screen)
            #expect(token.type == .user)
            let asked = transport.sent(to: "/ap/token")
            #expect(asked.count == 2 && asked[0].body == asked[1].body)
            // Two intervals of 5 s: one before the first request, and one after it, within the 10 s of the provider.
            #expect(app.clock.date <= start + 10)
            #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
        }

        @Test func `gives a person's token though its answer was lost on the way`() async throws {
            let transport = Self.scripted()
            let spent = #"{"error":"invalid_request","error_description":"Invalid device code"}"#
            transport.reply(
                at: "/ap/token",
                with: .failure(TransportError(.interrupted, because: "the line went dead")),
                .text(spent, type: "application/json", status: .badRequest),
                RecordedExchange.refreshTokenUser.reply
            )
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            let token = try await app.provider()
                .requestToken(for: Domain(RecordedExchange.domain), ofType: .user, presenting: screen)
            #expect(token.userName == "Maria Muster")
            #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
        }

        @Test func `has nobody asked where there is nothing to ask with`() async throws {
            let app = CrossPlatformApp(at: provider)
            await #expect(throws: SignInError(.personNeeded, because: "")) {
                try await app.provider().requestToken(for: radio, ofType: .user)
            }
            #expect(provider.asked == ["/register", "/associate radio.example"])
        }

        @Test func `gives no token for a service that it does not know, and says so`() async throws {
            let app = CrossPlatformApp(at: provider)
            let error = await Self.error {
                try await app.provider().requestToken(for: Domain("nowhere.example"), ofType: .client)
            }
            #expect(error == SignInError(.refused, because: ""))
            #expect(error?.providerDescription == "Unknown domain")
        }

        @Test func `is asked nothing when what is kept is damaged`() async throws {
            let app = CrossPlatformApp(at: provider)
            let address = try app.provider().address
            for key in [
                TokenStoreKey.crossPlatformIdentity(at: address), .crossPlatformToken(at: address, for: radio),
            ] {
                await app.store.save(Array("scrawl".utf8), for: key)
                await #expect(throws: SignInError.self) {
                    try await app.provider().requestToken(for: radio, ofType: .client)
                }
                #expect(await app.store.load(key) == Array("scrawl".utf8))
                await app.store.remove(key)
            }
            #expect(provider.asked.isEmpty)
        }

        /// A provider that registers, and gives a code.
        static func scripted() -> ScriptedTransport {
            ScriptedTransport([
                "/ap/register": [RecordedExchange.registerClient.reply],
                "/ap/associate": [RecordedExchange.requestCode.reply],
            ])
        }

        static func error(_ act: () async throws -> CrossPlatformToken) async -> SignInError? {
            do {
                _ = try await act()
                return nil
            } catch {
                return error as? SignInError
            }
        }
    }
}
