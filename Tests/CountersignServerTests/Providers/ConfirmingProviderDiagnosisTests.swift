import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The trial of a provider that is asked about each token")
struct ConfirmingProviderDiagnosisTests {
    /// The findings about a provider.
    private func findings(
        _ kind: IdentityProvider.Kind,
        at clock: ManualClock = ManualClock(),
        clockAhead seconds: Double? = nil
    ) async -> [ProviderDiagnosis.Finding] {
        let check = ProviderDiagnosis(
            of: IdentityProvider(
                id: IdentityProvider.ID("one"),
                displayName: "One",
                issuer: IdentityIssuer("https://one.example"),
                kind: kind,
                created: clock.date
            ),
            for: nil,
            over: DatedTransport(time: seconds.map { clock.date + $0 }),
            clock: clock.source,
            random: .system
        )
        return await check.findings()
    }

    /// The only thing that is wrong with a provider.
    private func complaint(
        about kind: IdentityProvider.Kind,
        at clock: ManualClock = ManualClock(),
        clockAhead seconds: Double? = nil
    ) async throws -> String {
        let wrong = await findings(kind, at: clock, clockAhead: seconds).filter { !$0.isGood }
        #expect(wrong.count == 1)
        return try #require(wrong.first).sentence
    }

    // MARK: Facebook

    private func graph(
        _ test: (GraphProvider, IdentityProvider.SocialGraph) async throws -> Void
    ) async throws {
        let graph = try await GraphProvider.start()
        let settings = IdentityProvider.SocialGraph(
            app: graph.app,
            secret: ProviderSecret(revealing: graph.appSecret.revealed),
            base: graph.base,
            version: GraphProvider.version
        )
        try await test(graph, settings)
        await graph.stop()
    }

    @Test func `says that Facebook accepts the app`() async throws {
        try await graph { _, settings in
            let findings = await findings(.socialGraph(settings), clockAhead: 0)
            #expect(
                findings.map(\.sentence) == [
                    "\(settings.base) answers, and accepts the app identifier and secret.", "The clocks agree.",
                ])
            #expect(findings.map(\.isGood) == [true, true])
        }
    }

    @Test func `says that Facebook does not accept the app’s identifier or secret`() async throws {
        try await graph { _, settings in
            var wrong = settings
            wrong.secret = ProviderSecret(revealing: "wrong")
            let sentence = try await complaint(about: .socialGraph(wrong))
            #expect(sentence.hasPrefix("It does not accept the app identifier or secret (debug_token: error 190)."))
            #expect(!sentence.contains("wrong"))
            wrong = settings
            wrong.app = ClientID("1")
            #expect(try await complaint(about: .socialGraph(wrong)).hasPrefix("It does not accept the app"))
        }
    }

    @Test func `says that the clocks differ, and what comes of it`() async throws {
        try await graph { _, settings in
            let sentence = try await complaint(about: .socialGraph(settings), clockAhead: -120)
            #expect(sentence.contains("120 seconds behind this one, so tokens end too early or too late"))
        }
    }

    @Test(arguments: [
        (ProviderFault.status(503), "can’t serve now"), (.reset, "can’t be reached"),
        (.status(404), "Are host and version right?"), (.badUTF8, "Are host and version right?"),
        (.answer(200, type: "text/html", body: "<html>"), "Are host and version right?"),
        (
            .answer(
                200, type: "application/json",
                body: #"{"data":{"is_valid":true,"app_id":"1234567890","#
                    + #""type":"USER","user_id":"1","expires_at":0}}"#), "calls a made-up token valid"
        ),
    ])
    func `says what is wrong with what Facebook answers`(fault: ProviderFault, words: String) async throws {
        try await graph { graph, settings in
            graph.fail(at: .debugToken, with: fault)
            let sentence = try await complaint(about: .socialGraph(settings))
            #expect(sentence.contains(words), "\(sentence)")
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", "Is the host spelt right"), ("https://provider.invalid", "Is the host spelt right"),
    ])
    func `says that a host cannot be reached`(base: String, words: String) async throws {
        let secret = ProviderSecret(revealing: "s")
        let kinds: [IdentityProvider.Kind] = [
            .socialGraph(IdentityProvider.SocialGraph(app: ClientID("1"), secret: secret, base: base, version: "v1.0")),
            .oauth1(IdentityProvider.OAuth1(consumer: ClientID("1"), secret: secret, base: base)),
            .bearer(IdentityProvider.Bearer(base: base, vouchers: [ClientID("a")])),
        ]
        for kind in kinds { #expect(try await complaint(about: kind).contains(words)) }
    }

    // MARK: Twitter and X

    private func twitter(
        _ test: (TwitterProvider, IdentityProvider.OAuth1, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let twitter = try await TwitterProvider.start(clock: clock.source, drawingFrom: SeededRandom(seed: 5).source)
        let settings = IdentityProvider.OAuth1(
            consumer: twitter.app.client,
            secret: ProviderSecret(revealing: twitter.app.secret.revealed),
            base: twitter.base
        )
        try await test(twitter, settings, clock)
        await twitter.stop()
    }

    @Test func `says that Twitter accepts the app`() async throws {
        try await twitter { twitter, settings, clock in
            let findings = await findings(.oauth1(settings), at: clock, clockAhead: 0)
            #expect(
                findings.map(\.sentence) == [
                    "\(settings.base) answers, and accepts the consumer key and secret.", "The clocks agree.",
                ])
            #expect(twitter.forged.isEmpty)
        }
    }

    @Test func `says that Twitter does not accept the app’s key or secret`() async throws {
        try await twitter { _, settings, clock in
            var wrong = settings
            wrong.secret = ProviderSecret(revealing: "wrong")
            let sentence = try await complaint(about: .oauth1(wrong), at: clock)
            #expect(sentence.hasPrefix("It does not accept the consumer key or secret (status 401, error 32)."))
            wrong = settings
            wrong.consumer = ClientID("wrong")
            #expect(try await complaint(about: .oauth1(wrong), at: clock).hasPrefix("It does not accept"))
        }
    }

    private static func error(_ code: Int, _ status: Int) -> ProviderFault {
        .answer(status, type: "application/json", body: #"{"errors":[{"code":\#(code),"message":"No."}]}"#)
    }

    @Test(
        arguments: [
            (error(135, 401), "Set the clock of this machine."), (.status(404), "Is the host right?"),
            (.status(500), "can’t serve now"), (.huge, "Is the host right?"),
        ] as [(ProviderFault, String)])
    func `says what is wrong with what Twitter answers`(fault: ProviderFault, words: String) async throws {
        try await twitter { twitter, settings, clock in
            twitter.fail(at: .requestToken, with: fault)
            let sentence = try await complaint(about: .oauth1(settings), at: clock)
            #expect(sentence.contains(words), "\(sentence)")
        }
    }

    @Test func `knows that Twitter looks at the signature before it looks at the callback`() async throws {
        try await twitter { twitter, settings, clock in
            twitter.fail(at: .requestToken, with: Self.error(415, 403))
            let findings = await findings(.oauth1(settings), at: clock)
            #expect(findings.map(\.isGood) == [true])
        }
    }

    @Test func `says of X whose word has to be taken`() async throws {
        try await twitter { twitter, settings, clock in
            let bearer = IdentityProvider.Bearer(base: settings.base, vouchers: [ClientID("shop"), ClientID("app")])
            let findings = await findings(.bearer(bearer), at: clock)
            #expect(findings.map(\.isGood) == [true, true])
            #expect(findings.first?.sentence == "\(settings.base) answers, and refuses a made-up token.")
            #expect(findings.last?.sentence.hasSuffix("Trusted to present only their own: shop, app.") == true)
            let profile = #"{"data":{"id":"1"}}"#
            twitter.fail(at: .bearerProfile, with: .answer(200, type: "application/json", body: profile))
            let sentence = try await complaint(about: .bearer(bearer), at: clock)
            #expect(sentence.hasPrefix("It takes a made-up token for a person’s"))
        }
    }
}
