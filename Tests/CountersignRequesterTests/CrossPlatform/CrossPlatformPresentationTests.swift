import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

extension CrossPlatformProviderTests {
    @Suite("and the page that a person sees")
    struct Presenting {
        let provider = SmallProvider()
        let radio = SmallProvider.radio
        let code = UserCodeText("AfZQNVkR")

        @Test func `is shown once and dismissed once when the person approves`() async throws {
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation()
            _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            #expect(await screen.calls == [.show(code), .dismiss])
            #expect(await screen.told.contains(.waiting(until: app.clock.date + 595)))
        }

        @Test func `is dismissed when the person denies`() async throws {
            provider.change { $0.person = .denies }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation()
            await #expect(throws: SignInError(.denied, because: "")) {
                try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            }
            #expect(await screen.calls == [.show(code), .dismiss])
        }

        @Test func `is dismissed when nobody answers in time`() async throws {
            provider.change { $0.person = .sleeps }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation()
            let start = app.clock.date
            await #expect(throws: SignInError(.expired, because: "")) {
                try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            }
            #expect(await screen.calls == [.show(code), .dismiss])
            #expect(app.clock.date == start + 600)
        }

        @Test func `is dismissed before a cancelled call comes back`() async throws {
            provider.change { $0.person = .sleeps }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation()
            let asked = try app.provider(clock: app.clock.source)
            let running = Task { try await asked.requestToken(for: radio, ofType: .user, presenting: screen) }
            await app.clock.sleepers()
            running.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await running.value }
            #expect(await screen.calls == [.show(code), .dismiss])
            #expect(app.clock.sleeping == 0)
        }

        @Test func `is dismissed even while it is still being shown`() async throws {
            let app = CrossPlatformApp(at: provider)
            // It never says that it is on the screen.
            let screen = RecordingPresentation { _ in
                let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in stream {}
                continuation.finish()
            }
            let asked = try app.provider()
            let running = Task { try await asked.requestToken(for: radio, ofType: .user, presenting: screen) }
            await screen.shown()
            running.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await running.value }
            #expect(await screen.calls == [.show(code), .dismiss])
        }

        @Test func `is dismissed when the provider fails after it was shown`() async throws {
            let transport = WhenItFails.scripted()
            transport.reply(at: "/ap/token", with: .text("<html>", type: "text/html"))
            let screen = RecordingPresentation()
            let app = CrossPlatformApp(at: transport)
            await #expect(throws: SignInError(.badAnswer, because: "")) {
                try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            }
            #expect(await screen.calls == [.show(code), .dismiss])
        }

        @Test func `ends the request when the person closes it`() async throws {
            provider.change { $0.person = .sleeps }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation { page in page.closed() }
            let asked = try app.provider(clock: app.clock.source)
            await #expect(throws: SignInError(.cancelled, because: "")) {
                try await asked.requestToken(for: radio, ofType: .user, presenting: screen)
            }
            #expect(await screen.calls == [.show(code), .dismiss])
        }

        @Test(arguments: [
            "cpacred://verification?result=cancelled", "cpacred://verification?a=b&result=cancelled",
            "cpacred://verification?info=user_code:denied",
        ])
        func `ends the request when the browser comes back with a refusal`(address: String) async throws {
            provider.change { $0.person = .sleeps }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation { page in page.returned(with: address) }
            let asked = try app.provider(clock: app.clock.source)
            await #expect(throws: SignInError(.denied, because: "")) {
                try await asked.requestToken(for: radio, ofType: .user, presenting: screen)
            }
            #expect(await screen.calls == [.show(code), .dismiss])
        }

        @Test(arguments: ["cpacred://verification?result=success", "cpacred://verification", "nonsense", ""])
        func `is no proof when the browser comes back`(address: String) async throws {
            provider.change { $0.person = .denies }
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation { page in page.returned(with: address) }
            await #expect(throws: SignInError(.denied, because: "")) {
                try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
            }
        }

        @Test func `leads a browser of this device back to the app`() async throws {
            let app = CrossPlatformApp(at: provider)
            let screen = RecordingPresentation { page in
                #expect(page.invitation.verificationURI.absoluteString == "https://ap.example/verify")
                #expect(
                    page.invitation.verificationURIComplete?.absoluteString
                        == "https://ap.example/verify?user_code=AfZQNVkR"
                )
                #expect(
                    page.address(returningTo: SignInPage.usualReturn).absoluteString
                        == "https://ap.example/verify?user_code=AfZQNVkR&redirect_uri=cpacred%3A%2F%2Fverification"
                )
            }
            _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
        }

        @Test func `leads a browser back also from a confirmation without a code`() throws {
            let place = try #require(URL(string: "https://ap.example/verify?lang=fr"))
            let invitation = Invitation(
                userCode: nil,
                verificationURI: place,
                verificationURIComplete: place,
                deadline: Date(timeIntervalSince1970: 0)
            )
            let page = SignInPage(invitation, takesReturns: true) { _ in }
            #expect(
                page.address(returningTo: SignInPage.usualReturn).absoluteString
                    == "https://ap.example/verify?lang=fr&redirect_uri=cpacred%3A%2F%2Fverification"
            )
        }
    }
}

extension SignInTests {
    @Suite("shown by a presentation")
    struct Presented {
        let code = UserCodeText("WDJB-MJHT")

        @Test func `is shown once and dismissed once`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            let screen = RecordingPresentation()
            let signedIn = try await server.signIn().run(presenting: screen) { _ in .continue }
            #expect(await screen.calls == [.show(code), .dismiss])
            #expect(await screen.told.last == .signedIn(signedIn))
        }

        @Test func `is dismissed when it fails or is cancelled`() async throws {
            let denied = try ScriptedServer(.error(.accessDenied))
            let screen = RecordingPresentation()
            await #expect(throws: SignInError(.denied, because: "")) {
                try await denied.signIn().run(presenting: screen) { _ in .continue }
            }
            #expect(await screen.calls == [.show(code), .dismiss])

            let pending = try ScriptedServer(.error(.authorizationPending))
            let other = RecordingPresentation()
            let signIn = pending.signIn(clock: pending.clock.source)
            let running = Task { try await signIn.run(presenting: other) { _ in .continue } }
            await other.shown()
            running.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await running.value }
            #expect(await other.calls == [.show(code), .dismiss])
        }

        @Test func `is shown each code that takes the place of an expired one`() async throws {
            let server = try ScriptedServer(.error(.expiredToken), ScriptedServer.granted())
            let screen = RecordingPresentation()
            _ = try await server.signIn { $0.renewals = 1 }.run(presenting: screen) { _ in .continue }
            #expect(await screen.calls == [.show(code), .replace(code), .dismiss])
        }

        @Test func `shows nothing when it fails before`() async throws {
            let server = try ScriptedServer()
            server.transport.reply(at: ScriptedServer.path, with: .status(.notFound))
            let screen = RecordingPresentation()
            await #expect(throws: SignInError(.noServerFound, because: "")) {
                try await server.signIn().run(presenting: screen) { _ in .continue }
            }
            #expect(await screen.calls.isEmpty)
        }

        @Test func `ends when the person closes the page`() async throws {
            let server = try ScriptedServer(.error(.authorizationPending))
            let screen = RecordingPresentation { page in page.closed() }
            let signIn = server.signIn(clock: server.clock.source)
            await #expect(throws: SignInError(.cancelled, because: "")) {
                try await signIn.run(presenting: screen) { _ in .continue }
            }
            #expect(await screen.calls == [.show(code), .dismiss])
        }
    }
}
