import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

@Suite("An approver", .timeLimit(.minutes(10)))
struct ApproverTests {
    let fixture = AuthenticatorFixture(time: { $0.source })
    static let inbox = "/authenticator/inbox"
    static let look = "/approver/look"

    func json(_ text: String) -> ScriptedTransport.Reply { .text(text, type: "application/json") }

    var nearbyText: String {
        #"""
        {"outcome":"decide","method":"nearby","exchange":"n1","now":\#(fixture.now),"nonce":"nonce","client_id":"tv",
         "client_provenance":"asserted","client_name":"The TV","client_name_provenance":"asserted","scope":"openid",
         "asked":\#(fixture.now),"expires":\#(fixture.now + 9_000),"same_network":"yes","account_name":"Anna"}
        """#
    }

    func nearbyRequest() throws -> NearbySignInRequest {
        try #require(
            NearbySignInRequest(
                issuer: "https://id.example.com", userCode: UserCodeText("WDJB-MJHT"),
                verifier: NearbyVerifier(drawingFrom: .system)))
    }

    func link() throws -> NearbyLinkID { try #require(NearbyLinkID([UInt8](repeating: 3, count: 32))) }

    /// A phone that is asked by a screen over a link, until it is answered or has gone.
    func asked(_ proof: NearbyProof = .code) throws -> Task<RequestAnswer, any Error> {
        let (request, link, approver) = (try nearbyRequest(), try link(), fixture.approver)
        return Task { try await approver.ask(request, over: link, proof: proof) }
    }

    // MARK: One list

    @Test func `shows requests of all ways in one list, those in front of the person first`() async throws {
        let passcode = AuthenticatorInbox.Entry(
            exchange: SignInRequest.ID("p1"), kind: .oneTimePassword, asked: fixture.now, expires: fixture.now + 9_000)
        fixture.transport.reply(
            at: Self.inbox, with: fixture.listed([fixture.entry(lasting: 9_000)]), .status(.notModified),
            fixture.listed([fixture.entry(lasting: 9_000), passcode], tag: "\"2\""), .silence)
        fixture.transport.reply(
            at: Self.look, with: json(fixture.lookText(channel: "device_code", digits: 2, lasting: 9_000)),
            json(nearbyText),
            json(fixture.lookText("p1", kind: "otp", lasting: 9_000)))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        let screen = try asked()
        #expect(await events.next() == "waiting n1 r1")
        #expect(await events.next(advancing: fixture.clock) == "waiting n1 r1 p1")
        screen.cancel()
        events.stop()
    }

    /// A phone that is an enrolled device, is near a screen, and has an app that others open.
    @Test func `shows five kinds of requests in order, and signs one decision on each`() async throws {
        var options = ApprovalOptions()
        options.entrances = ["https://id.example.com/authorize"]
        let approver = Approver(
            for: ApproverAccount(id: ApproverAccount.ID("anna"), issuer: try Issuer("https://id.example.com")) {
                AccessToken(revealing: "token")
            },
            as: .device(DeviceDetails(), keepingStateIn: fixture.items),
            keepingKeysIn: AuthenticatorFixture.Keys(key: fixture.key),
            options: options,
            in: ApproverContext(over: fixture.transport, clock: fixture.clock.source, random: .system))
        // One more in each list, so that their looks come in this order.
        let entries = ["code", "push", "site"].map { fixture.entry($0, lasting: 9_000) }
        fixture.transport.reply(
            at: Self.inbox, with: fixture.listed(Array(entries.prefix(1))), .status(.notModified),
            fixture.listed(Array(entries.prefix(2)), tag: "\"2\""), .status(.notModified),
            fixture.listed(entries, tag: "\"3\""), .silence)
        fixture.transport.reply(
            at: Self.look, with: json(fixture.lookText("code", channel: "device_code", digits: 2, lasting: 9_000)),
            json(fixture.lookText("push", channel: "backchannel", lasting: 9_000)),
            json(fixture.lookText("site", lasting: 9_000)), json(nearbyText), json(appText))
        let events = EventReader(of: approver)
        #expect(await events.next() == "waiting code")
        #expect(await events.next(advancing: fixture.clock) == "waiting code push")
        #expect(await events.next(advancing: fixture.clock) == "waiting code push site")
        let (request, link) = (try nearbyRequest(), try link())
        let screen = Task { try await approver.ask(request, over: link, proof: .code) }
        #expect(await events.next() == "waiting n1 code push site")
        let opener = ProviderFixture.Opener(knowsOwners: false, opens: true)
        let app = Task {
            try await approver.ask(
                openedWith: "https://id.example.com/authorize?\(ProviderFixture.parameters)", opening: opener)
        }
        #expect(await events.next() == "waiting n1 a1 code push site")

        let waiting = await approver.inbox.waiting
        let kinds = waiting.map(\.kind)
        guard kinds.count == 5, case .nearby = kinds[0], case .app = kinds[1], case .site = kinds[4] else {
            Issue.record("other kinds: \(kinds)")
            return
        }
        #expect(kinds[2] == .code && kinds[3] == .backchannel)
        let answers: [RequestAnswer] = [.approve(), .approve(), .approve(number: "42"), .deny, .mute]
        var left = waiting.map(\.id.rawValue)
        for (answer, shown) in zip(answers, waiting) {
            let location = shown.id == SignInRequest.ID("a1") ? "com.example.recipes:/done?code=C&state=s" : nil
            fixture.transport.reply(
                at: "/approver/decide",
                with: .json(
                    ApproverDecideResponse(
                        exchange: shown.id, outcome: Self.outcomes[answer] ?? .denied,
                        location: location.map { AuthorizationAnswerAddress(revealing: $0) })))
            try await approver.answer(answer, to: shown)
            left.removeFirst()
            #expect(await events.next() == (["waiting"] + left).joined(separator: " "))
        }
        #expect(try await screen.value == .approve())
        #expect(try await app.value == .answered(.approved, isOpened: true))
        #expect(opener.opened == ["com.example.recipes:/done?code=C&state=s"])
        let claims = try fixture.decisions
        #expect(claims.map(\.exchange) == waiting.map(\.id) && Set(claims.map(\.id)).count == 5)
        #expect(claims.map(\.answer) == [.approve, .approve, .approve, .deny, .mute])
        #expect(claims.map(\.finding.method) == [.nearby, .authorization, .inbox, .inbox, .inbox])
        #expect(claims[2].finding == .inbox(InboxFinding(number: "42")))
        events.stop()
    }

    private static let outcomes: [RequestAnswer: ApproverDecideResponse.Outcome] = [
        .approve(): .approved, .approve(number: "42"): .approved, .deny: .denied, .mute: .muted,
    ]

    private var appText: String {
        #"""
        {"outcome":"decide","method":"authorization","exchange":"a1","now":\#(fixture.now),"nonce":"nonce",
         "client_id":"recipes","client_provenance":"asserted","client_name":"Recipes",
         "client_name_provenance":"asserted","scope":"openid","asked":\#(fixture.now),"expires":\#(fixture.now + 9_000),
         "account_name":"Anna","redirect_uri":"com.example.recipes:/done",
         "permissions":[{"word":"openid","meaning":"Know that it is you"}],
         "code_challenge":"\#(ProviderFixture.challenge)","allowed_before":false,"must_ask":true}
        """#
    }

    private static let numberSentence = "To approve, type the number that is shown where you started (2 digits)."

    private static let sentences: [(String?, Int?, String)] = [
        (nil, 2, "Bank wants you to sign in as Anna. \(numberSentence)"),
        ("device_code", 2, "The Bank (‘Kitchen TV’) wants to sign you in. \(numberSentence)"),
        ("backchannel", nil, "The Bank wants you to sign in as Anna."),
        ("single_sign_on", nil, "The Bank (‘Kitchen TV’) wants you to sign in as Anna."),
        ("a later one", nil, "The Bank wants you to sign in as Anna."),
    ]

    @Test(arguments: sentences)
    func `says in a sentence who asks, and the person's step`(
        channel: String?,
        digits: Int?,
        sentence: String
    ) async throws {
        let shown = try await fixture.shown(fixture.lookText(channel: channel, digits: digits))
        #expect(shown.sentence == sentence)
        #expect(shown.step == (digits == nil ? .decide : .matchNumber))
        let isSeen = channel == "device_code" || channel == "single_sign_on"
        #expect(shown.address == (isSeen ? .observed("192.0.2.7") : .asserted("192.0.2.7")))
    }

    // MARK: One decision

    @Test func `answers a screen nearby by the decision of every request`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .silence)
        fixture.transport.reply(at: Self.look, with: json(nearbyText))
        fixture.decided(.approve, on: "n1")
        let approver = fixture.approver
        let screen = try asked()
        for try await event in approver {
            guard case .waiting(let requests) = event, let first = requests.first else { continue }
            #expect(!first.canBeReported)
            let report = await code { () async throws(ApprovalError) in try await approver.answer(.report(), to: first)
            }
            #expect(report == .notAnswerable)
            try await approver.answer(.approve(remembers: true), to: first)
            break
        }
        #expect(try await screen.value == .approve(remembers: true))
        let claims = try #require(try fixture.decisions.first)
        #expect(claims.answer == .approve && claims.exchange == SignInRequest.ID("n1"))
        #expect(claims.finding == .nearby(NearbyFinding(link: try link(), proof: .code)))
        #expect(try fixture.decisions.count == 1)
    }

    @Test func `wants the digits of a paired screen in another network before it shows its request`() async throws {
        let elsewhere = nearbyText.replacingOccurrences(of: "\"yes\"", with: "\"no\"")
        fixture.transport.reply(at: Self.look, with: json(elsewhere))
        let (request, link, approver) = (try nearbyRequest(), try link(), fixture.approver)
        let found = await code { () async throws(ApprovalError) in
            _ = try await approver.ask(request, over: link, proof: .paired(at: .distantPast))
        }
        #expect(found == .digitsNeeded)
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test func `leaves a request where a number was missed, and takes the next`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([fixture.entry()]), .silence)
        fixture.transport.reply(at: Self.look, with: json(fixture.lookText(channel: "device_code", digits: 2)))
        let done = ApproverDecideResponse(exchange: SignInRequest.ID("r1"), outcome: .approved)
        fixture.transport.reply(at: "/approver/decide", with: .error(.invalidNumber), .json(done))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        let approver = fixture.approver
        let shown = try await approver.request(SignInRequest.ID("r1"))
        let missed = await code { () async throws(ApprovalError) in
            try await approver.answer(.approve(number: "11"), to: shown)
        }
        #expect(missed == .wrongNumber)
        try await approver.answer(.approve(number: "42"), to: shown)
        #expect(await events.next() == "waiting")
        #expect(try fixture.decisions.map(\.finding) == ["11", "42"].map { .inbox(InboxFinding(number: $0)) })
        events.stop()
    }

    @Test func `repeats a decision whose answer was lost as the same one`() async throws {
        let shown = try await fixture.shown()
        let approver = fixture.approver
        let done = ApproverDecideResponse(exchange: SignInRequest.ID("r1"), outcome: .approved)
        fixture.transport.reply(
            at: "/approver/decide", with: .failure(TransportError(.interrupted, because: "lost")), .json(done))
        let lost = await code { () async throws(ApprovalError) in try await approver.answer(.approve(), to: shown) }
        #expect(lost == .outcomeUnknown)
        try await approver.answer(.approve(), to: shown)
        let sent = fixture.transport.sent(to: "/approver/decide")
        #expect(sent.count == 2 && sent[0].body == sent[1].body)
    }

    @Test func `signs anew when the answer is another one, or the first is too old for the server`() async throws {
        let shown = try await fixture.shown(fixture.lookText(lasting: 300))
        let approver = fixture.approver
        fixture.transport.reply(
            at: "/approver/decide", with: .failure(TransportError(.interrupted, because: "lost")))
        for answer in [RequestAnswer.approve(), .deny, .deny] {
            let lost = await code { () async throws(ApprovalError) in try await approver.answer(answer, to: shown) }
            #expect(lost == .outcomeUnknown)
            if answer == .deny { fixture.clock.advance(by: .seconds(46)) }
        }
        let names = try fixture.decisions.map(\.id)
        #expect(Set(names).count == names.count)
    }

    // MARK: Other places

    /// Lists a request, which the person answers on their phone after some looks.
    func answerElsewhere(_ request: String, after looks: ScriptedTransport.Reply...) {
        fixture.transport.reply(
            at: Self.inbox, with: fixture.listed([fixture.entry(request, lasting: 9_000)]), .status(.notModified),
            fixture.listed([], tag: "\"2\""), .silence)
        let place = AnswerPlace(.device, named: "Anna’s phone", answered: fixture.clock.date)
        let refusal = ApproverErrorResponse(OAuthError(.invalidGrant, because: ""), answeredBy: place)
        fixture.transport.reply(at: Self.look, with: looks + [.json(refusal, status: .badRequest)])
    }

    @Test func `says where the person answered elsewhere`() async throws {
        answerElsewhere("r1", after: json(fixture.lookText(lasting: 9_000)))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        #expect(await events.next(advancing: fixture.clock) == "waiting")
        #expect(await events.next() == "answered r1 on Anna’s phone")
        events.stop()
    }

    @Test func `says how a request ended once the answer that was on its way has failed`() async throws {
        answerElsewhere("r1", after: json(fixture.lookText(lasting: 9_000)))
        fixture.transport.reply(at: "/approver/decide", with: .silence)
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        let approver = fixture.approver
        let shown = try #require(await approver.inbox.waiting.first)
        let answering = Task { try await approver.answer(.approve(), to: shown) }
        await fixture.transport.requests(to: "/approver/decide")
        #expect(await events.next(advancing: fixture.clock) == "waiting")
        answering.cancel()
        #expect(await events.next() == "answered r1 on Anna’s phone")
        await #expect(throws: ApprovalError.self) { try await answering.value }
        events.stop()
    }

    @Test func `says that the asking side gave up, where the server tells it`() async throws {
        fixture.transport.reply(
            at: Self.inbox, with: fixture.listed([fixture.entry(lasting: 9_000)]), .status(.notModified),
            fixture.listed([], cancelled: [SignInRequest.ID("r1"), SignInRequest.ID("r0")], tag: "\"2\""), .silence)
        fixture.transport.reply(at: Self.look, with: json(fixture.lookText(lasting: 9_000)))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        #expect(await events.next(advancing: fixture.clock) == "cancelled r1")
        #expect(await events.next() == "waiting")
        // The one look is that of its arrival: nothing is asked of a request that was given up.
        #expect(fixture.transport.sent(to: Self.look).count == 1)
        events.stop()
    }

    @Test func `takes a request from the list when its screen has gone`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .silence)
        fixture.transport.reply(at: Self.look, with: json(nearbyText), .error(.invalidGrant))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting")
        let screen = try asked()
        #expect(await events.next() == "waiting n1")
        screen.cancel()
        #expect(await events.next() == "waiting")
        #expect(await events.next() == "cancelled n1")
        await #expect(throws: ApprovalError.self) { try await screen.value }
        events.stop()
    }

    @Test func `takes a request from the list when its time is over, however late its person answers`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .silence)
        fixture.transport.reply(at: Self.look, with: json(nearbyText))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting")
        let screen = try asked()
        #expect(await events.next() == "waiting n1")
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(9_000))
        #expect(await events.next() == "waiting")
        #expect(await events.next() == "expired n1")
        await #expect(throws: ApprovalError.self) { try await screen.value }
        #expect(try fixture.decisions.isEmpty)
        events.stop()
    }

    @Test func `tells that an approval was undone`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .status(.notModified), .silence)
        fixture.transport.reply(
            at: "/approver/decisions",
            with: json(
                #"[{"exchange":"r1","client_name":"The Bank","outcome":"undone","since":1,"words":"Undone."}]"#))
        let shown = try await fixture.shown()
        fixture.decided(.approve)
        try await fixture.approver.answer(.approve(), to: shown)
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting")
        #expect(await events.next() == "undone r1")
        events.stop()
    }

    @Test func `tells of each device that it did not know, once`() async throws {
        func listing(_ id: String, isCurrent: Bool = false) -> DeviceListing {
            DeviceListing(id: DeviceRegistration.ID(id), added: 1, seen: 1, isCurrent: isCurrent)
        }
        let first = [listing("d1", isCurrent: true), listing("d2")]
        fixture.transport.reply(
            at: "/authenticator/devices", with: .json(first), .json(first + [listing("d3"), listing("d4")]))
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .silence)
        fixture.transport.reply(at: Self.look, with: json(fixture.lookText()))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting")
        await fixture.transport.requests(2, to: Self.inbox)
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]))
        // A plain message refers to it.
        let plain = PushPayload([:])
        guard case .newDevices(let devices) = try await fixture.approver.received(plain) else {
            Issue.record("no new device")
            return
        }
        #expect(devices.map(\.id) == [DeviceRegistration.ID("d3"), DeviceRegistration.ID("d4")])
        #expect(await events.next() == "new device d3")
        #expect(await events.next() == "new device d4")
        #expect(try await fixture.approver.received(plain) == .nothing)
        events.stop()
    }

    @Test func `tells once that the password was changed, after it knew an earlier state`() async throws {
        let (first, second) = (1_800_000_000, 1_800_000_060)
        let replies = [nil, first, first, second].map { changed -> ScriptedTransport.Reply in
            var listing = DeviceListing(id: DeviceRegistration.ID("d1"), added: 1, seen: 1, isCurrent: true)
            listing.passwordChanged = changed
            return .json([listing])
        }
        fixture.transport.reply(at: "/authenticator/devices", with: replies)
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]))
        let plain = PushPayload([:])
        #expect(try await fixture.approver.received(plain) == .nothing)
        let firstTold = PushEvent.passwordChanged(Date(timeIntervalSince1970: Double(first)))
        #expect(try await fixture.approver.received(plain) == firstTold)
        #expect(try await fixture.approver.received(plain) == .nothing)
        let secondTold = PushEvent.passwordChanged(Date(timeIntervalSince1970: Double(second)))
        #expect(try await fixture.approver.received(plain) == secondTold)
    }

    @Test func `ends its events when the device was removed`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([]), .status(.unauthorized))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting")
        #expect(await events.next() == "ended signedOut")
        #expect(await events.next() == nil)
    }

    // MARK: Fewer abilities

    @Test func `that is no enrolled device answers screens nearby, and has no inbox at the server`() async throws {
        let phone = Approver(
            for: ApproverAccount(id: ApproverAccount.ID("anna"), issuer: try Issuer("https://id.example.com")) {
                AccessToken(revealing: "token")
            },
            keepingKeysIn: AuthenticatorFixture.Keys(key: fixture.key),
            in: ApproverContext(over: fixture.transport, clock: fixture.clock.source, random: .system))
        fixture.transport.reply(at: Self.look, with: json(nearbyText))
        fixture.decided(.deny, on: "n1")
        let (request, link) = (try nearbyRequest(), try link())
        let events = EventReader(of: phone)
        #expect(await events.next() == "waiting")
        let screen = Task { try await phone.ask(request, over: link, proof: .code) }
        #expect(await events.next() == "waiting n1")
        let shown = try #require(try await phone.waitingRequests().first)
        try await phone.answer(.deny, to: shown)
        #expect(try await screen.value == .deny)
        #expect(await events.next() == "waiting")
        #expect(fixture.transport.sent(to: Self.inbox).isEmpty)
        let registering = await code { () async throws(ApprovalError) in _ = try await phone.register() }
        #expect(registering == .notRegistered)
        events.stop()
    }
}
