import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Another app asks, the provider's app of the examples answers as a process of its own, and the real server is between
/// them; no browser takes part.
@Suite("An app that the provider's own app lets in", .serialized, .timeLimit(.minutes(10)))
struct ProviderPhoneTests {
    @Test func `is signed in as the person of that app, who is told that it is not verified`() async throws {
        try await atProvider { fixture in
            let app = fixture.app()
            let phone = try fixture.phone(openedWith: try await app.address(), saying: "y\n")
            let ended = try await phone.ended()
            #expect(ended.status == 0, "\(ended.printed)")
            #expect(ended.printed.contains("Recipes (not verified: any app on this device could ask in its name)"))
            #expect(ended.printed.contains("wants to be signed in as Anna Example."))
            #expect(ended.printed.contains("The answer goes to the app with the scheme com.example.recipes."))
            #expect(ended.printed.contains("The app knows: approved."))
            let back = try #require(try fixture.opened().last)
            #expect(back.hasPrefix("com.example.recipes:/signed-in?code="))
            // The app neither prints nor keeps the code.
            let code = try #require(back.firstMatch(of: /code=([^&]+)/)?.1)
            #expect(!ended.printed.contains(code))

            guard case .granted(let completion) = try await app.signIn().finish(with: back) else {
                Issue.record("no code: \(back)")
                return
            }
            let signedIn = try #require(completion.signedIn)
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(try await JourneyScreen.api(at: fixture.server.issuer).isActive(signedIn.accessToken))

            // It was remembered, and the person is asked all the same: any app could have this scheme.
            let again = try await fixture.phone(openedWith: try await app.address(), saying: "y\n").ended()
            #expect(again.printed.contains("Let it in?") && again.printed.contains("The app knows: approved."))
        }
    }

    @Test func `is told that the person denied`() async throws {
        try await atProvider { fixture in
            let app = fixture.app()
            let ended = try await fixture.phone(openedWith: try await app.address(), saying: "n\n").ended()
            #expect(ended.printed.contains("The app knows: denied."))
            guard case .denied = try await app.signIn().finish(with: try #require(try fixture.opened().last)) else {
                Issue.record("not denied")
                return
            }
        }
    }

    @Test func `gets nothing, not even an error, at a redirect URI that is not registered`() async throws {
        try await atProvider { fixture in
            var thief = fixture.app(returningTo: "com.example.thief:/signed-in")
            // The server refuses to store such a request.
            thief.isPushing = false
            let ended = try await fixture.phone(openedWith: try await thief.address(), saying: "y\n").ended()
            #expect(ended.printed == "There is no answer: unanswerable.\n")
            #expect(try fixture.opened().isEmpty)
        }
    }

    @Test func `gets nothing when the system knows it as another app than the one whose redirect URI it names`()
        async throws
    {
        try await atProvider { fixture in
            let address = try await fixture.app().address()
            let thief = try fixture.phone(openedWith: address, saying: "y\n", "by=com.example.thief")
            #expect(try await thief.ended().printed == "There is no answer: notTheOwner.\n")
            #expect(try fixture.opened().isEmpty)
            let owner = try fixture.phone(openedWith: address, saying: "y\n", "by=com.example.recipes")
            #expect(try await owner.ended().printed.contains("The app knows: approved."))
            #expect(try fixture.opened().count == 1)
        }
    }

    @Test func `goes on in the browser when the person wants that`() async throws {
        try await atProvider { fixture in
            let address = try await fixture.app().address()
            let ended = try await fixture.phone(openedWith: address, saying: "browser\n").ended()
            let page = try #require(ended.printed.firstMatch(of: /Go on in the browser: (.+)\n/)?.1)
            #expect(page.hasPrefix("\(fixture.server.issuer)/authorize?"))
            let anna = JourneyVisitor(at: fixture.server.issuer)
            try await anna.signIn(as: .anna)
            #expect(try await anna.authorize(String(page)).hasPrefix("com.example.recipes:/signed-in?code="))
        }
    }

    @Test func `lets the screen of its device in, by the page that the screen opens`() async throws {
        try await atProvider { fixture in
            let back = BrowserReturn(to: try RedirectURI("com.example.tv:/signed-in"), state: "a-state")
            try await fixture.server.change { repositories in
                var tv = try #require(try repositories.clients.find(JourneyParties.tv))
                tv.redirects.redirectURIs = [back.redirectURI.text]
                try repositories.clients.update(tv)
            }
            let screen = JourneyScreen(at: fixture.server.issuer)
            for (input, said) in [("n\n", "denied"), ("y\n", "approved")] {
                let codes = try await screen.ask(returningTo: back)
                let page = try #require(codes.browserURI)
                let ended = try await fixture.phone(openedWith: page, saying: input).ended()
                #expect(ended.status == 0, "\(ended.printed)")
                #expect(ended.printed.contains("It calls itself ‘Anna’s big screen’."))
                #expect(ended.printed.contains("The answer goes to the app with the scheme com.example.tv."))
                #expect(ended.printed.contains("The app knows: \(said)."))
                let opened = try #require(try fixture.opened().last)
                let query = try #require(back.redirectURI.parameters(of: opened))
                let answer = try BrowserReturnResponse(form: Form(parsing: Array(query.utf8)))
                #expect(answer.state == "a-state" && answer.issuer == fixture.server.issuer.text)
                guard case .approved(over: let link) = answer.outcome else {
                    #expect(said == "denied" && answer.outcome == .refused(.accessDenied))
                    continue
                }
                // The app neither prints nor keeps the link, which alone redeems the approval.
                #expect(said == "approved" && !ended.printed.contains(link.description))
                #expect(try await screen.poll(codes) == .refused(.authorizationPending))
                fixture.server.clock.advance(by: .seconds(6))
                let tokens = try await screen.poll(codes, over: link).tokens
                #expect(try await JourneyScreen.api(at: fixture.server.issuer).isActive(tokens.accessToken))
            }
        }
    }

    // MARK: Fixture

    /// Keeps the address that would be opened.
    private final class Opener: AppOpener {
        let links = AppLinks.schemesOnly
        private let kept = NIOLockedValueBox<[URL]>([])
        var opened: [URL] { kept.withLockedValue { $0 } }

        func canOpen(_ address: URL) async -> Bool { true }

        func open(_ address: URL) async -> Bool {
            kept.withLockedValue { $0.append(address) }
            return true
        }
    }

    private struct App {
        let server: JourneyServer
        let redirectURI: String
        var isPushing = true
        let opener = Opener()
        let store = MemoryTokenStore()

        func signIn() -> AppToAppSignIn {
            var profile = ProviderProfile(discoveredAt: server.issuer)
            profile.app = ProviderApp(
                probe: "com.example.provider:",
                authorization: "com.example.provider.authorize:/authorize",
                store: ProviderApp.StorePage(item: "1", address: "https://store.example.com/provider")
            )
            return AppToAppSignIn(
                at: profile,
                as: JourneyParties.recipes,
                returningTo: AppRedirects(native: redirectURI),
                for: Scope([.openid, .profile]),
                opening: opener,
                keepingTokensIn: store,
                options: AppToAppOptions(),
                in: RequesterContext(
                    over: OverheardTransport(hidesPushedRequests: !isPushing), clock: server.clock.skipping,
                    random: .system)
            )
        }

        /// The address that the system would open the provider's app with.
        func address() async throws -> String {
            _ = try await signIn().start()
            return try #require(opener.opened.last).absoluteString
        }
    }

    private struct Fixture {
        static let client = ClientID("providers-app")

        let server: JourneyServer
        let directory: URL

        func app(returningTo redirectURI: String = "com.example.recipes:/signed-in") -> App {
            App(server: server, redirectURI: redirectURI)
        }

        /// The provider's app, which the system opens with an address.
        func phone(openedWith address: String, saying input: String, _ more: String...) throws -> ExampleProgram {
            // That program has the clock of this machine, and the server takes only what was signed just now.
            server.clock.advance(by: .seconds(Date().timeIntervalSince(server.clock.date)))
            let words = [server.issuer.text, Self.client.rawValue, address, "in=\(directory.path)/tokens"]
            return try ExampleProgram("ProviderPhone", words + more, reading: input, in: directory)
        }

        /// The addresses that the program gave to the desktop to open.
        func opened() throws -> [String] {
            let file = directory.appending(component: "opened")
            guard FileManager.default.fileExists(atPath: file.path) else { return [] }
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        /// Anna signs the provider's app in, once.
        func signIn() async throws {
            let (client, created) = (Self.client, server.clock.date)
            try await server.change { repositories in
                try repositories.clients.insert(
                    Client(
                        id: client,
                        name: "The provider's app",
                        kind: .public,
                        grantTypes: [.deviceCode, .refreshToken],
                        scope: Scope([.nearbyApprove, .offlineAccess]),
                        tokenFormat: .opaque,
                        created: created
                    )
                )
            }
            let signIn = SignIn(
                at: server.issuer,
                as: ClientIdentity(client),
                for: Scope([.nearbyApprove, .offlineAccess]),
                on: SignInScreen(),
                in: RequesterContext(over: AsyncHTTPTransport(), clock: server.clock.skipping, random: .system)
            )
            let store = SealedFileTokenStore(directory: "\(directory.path)/tokens")
            let issuer = server.issuer
            var events = signIn.events.makeAsyncIterator()
            let task = Task { try await signIn.run { _ in .continue } }
            while let event = await events.next() {
                guard case .invitation(let invitation) = event, let code = invitation.userCode else { continue }
                let anna = JourneyVisitor(at: issuer)
                try await anna.signIn(as: .anna)
                _ = try await anna.decide(.approve, on: code)
                break
            }
            let signedIn = try await task.value
            try await store.save(signedIn, for: TokenStoreKey.signIn(at: issuer, as: client))
        }
    }

    private func atProvider(_ body: (Fixture) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(component: "countersign-provider-\(UUID().uuidString.prefix(8))")
        let programs = directory.appending(component: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // In place of the desktop, which would open the other app.
        let desktop = programs.appending(component: "xdg-open")
        try Data("#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$HOME/opened\"\n".utf8).write(to: desktop)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desktop.path)
        try await JourneyServer.with(clock: ManualClock(Date())) { server in
            let fixture = Fixture(server: server, directory: directory)
            try await fixture.signIn()
            try await body(fixture)
        }
    }
}
