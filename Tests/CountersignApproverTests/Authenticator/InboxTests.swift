import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// Features 135, 136 and 140.
@Suite("The inbox of a device", .timeLimit(.minutes(10)))
struct InboxTests {
    private let fixture = AuthenticatorFixture(time: { $0.source })

    private func lists(_ replies: ScriptedTransport.Reply...) {
        fixture.transport.reply(at: "/authenticator/inbox", with: replies)
    }

    @Test func `lists what waits, and nothing is no error`() async throws {
        fixture.looks(fixture.lookText())
        lists(fixture.listed([]), fixture.listed([fixture.entry()]))
        #expect(try await fixture.approver.waitingRequests().isEmpty)
        let waiting = try await fixture.approver.waitingRequests()
        #expect(waiting.map(\.id) == [SignInRequest.ID("r1")] && waiting.first?.deadline == fixture.clock.date + 60)
    }

    @Test func `tells first that nothing waits`() async throws {
        lists(fixture.listed([]), .silence)
        var events = fixture.approver.makeAsyncIterator()
        #expect(try await events.next()?.words == "waiting")
    }

    @Test func `is read by a request that the server holds until the list is another one`() async throws {
        fixture.transport.reply(
            at: "/approver/look", with: .text(fixture.lookText(lasting: 9_000), type: "application/json"),
            .error(.invalidGrant))
        lists(
            fixture.listed([fixture.entry(lasting: 9_000)]), .status(.notModified), fixture.listed([], tag: "\"2\""),
            .silence)
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        #expect(await events.next(advancing: fixture.clock) == "waiting")
        #expect(await events.next() == "withdrawn r1")
        let sent = fixture.transport.sent(to: "/authenticator/inbox").map(\.request.headerFields)
        #expect(sent.prefix(3).map { $0[.ifNoneMatch] } == [nil, "\"1\"", "\"1\""])
        let prefer = try #require(HTTPField.Name("Prefer"))
        #expect(sent.prefix(3).map { $0[prefer] } == [nil, "wait=30", "wait=30"])
        #expect(fixture.transport.sent(to: "/authenticator/inbox")[1].limit == .seconds(45))
        events.stop()
    }

    @Test func `says which request it cannot show`() async throws {
        lists(fixture.listed([fixture.entry()]), .silence)
        fixture.transport.reply(at: "/approver/look", with: .status(.forbidden))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "failed r1 notPermitted")
        #expect(await events.next() == "waiting")
        events.stop()
    }

    /// Standard: RFC 9110 §10.2.3.
    @Test(arguments: [
        (HTTPResponse.Status.tooManyRequests, "7", 7), (.serviceUnavailable, "30", 30), (.tooManyRequests, "0", 1),
        (.tooManyRequests, "86400", 600), (.serviceUnavailable, "Fri, 31 Dec 1999 23:59:59 GMT", 1),
    ])
    func `leaves a server alone for as long as that asks, ten minutes at most`(
        status: HTTPResponse.Status,
        value: String,
        seconds: Int
    ) async throws {
        let skipping = AuthenticatorFixture()
        let start = skipping.clock.date
        skipping.transport.reply(
            at: "/authenticator/inbox",
            with: .status(status, fields: [.retryAfter: value]), .status(.unauthorized))
        let (seen, error) = await all(of: skipping.approver)
        #expect(seen == ["temporary \(seconds)"] && error == .signedOut)
        #expect(skipping.clock.date.timeIntervalSince(start) == Double(seconds))
    }

    /// All events until the inbox ends, and the code of the error that ends it.
    private func all(of approver: Approver) async -> ([String], ApprovalError.Code?) {
        var seen: [String] = []
        do {
            for try await event in approver { seen.append(event.words) }
            return (seen, nil)
        } catch {
            return (seen, (error as? ApprovalError)?.code)
        }
    }

    @Test func `drops a request at its deadline, although the server says nothing`() async throws {
        fixture.looks(fixture.lookText())
        lists(fixture.listed([fixture.entry(lasting: 60)]), .silence)
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        await fixture.transport.requests(2, to: "/authenticator/inbox")
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(60))
        #expect(await events.next() == "expired r1")
        #expect(await events.next() == "waiting")
        events.stop()
    }

    @Test func `counts the time that is left by the server's clock`() async throws {
        // The phone is three hours behind.
        var fields = HTTPFields()
        fields[.date] = HTTPDate.text(of: fixture.clock.date + 10_800)
        let entry = AuthenticatorInbox.Entry(
            exchange: SignInRequest.ID("r1"), kind: .instant, asked: fixture.now + 10_790, expires: fixture.now + 10_860
        )
        let over = AuthenticatorInbox.Entry(
            exchange: SignInRequest.ID("r0"), kind: .instant, asked: fixture.now + 10_700, expires: fixture.now + 10_800
        )
        fixture.looks(fixture.lookText(serverTime: fixture.now + 10_800))
        lists(.json(AuthenticatorInbox(requests: [over, entry], serverTime: fixture.now + 10_800), fields: fields))
        #expect(try await fixture.approver.waitingRequests().map(\.id) == [SignInRequest.ID("r1")])
        #expect(await fixture.approver.serverDate == fixture.clock.date + 10_800)
        // Setting the phone's clock changes nothing; only time that passes does.
        fixture.clock.setDate(fixture.clock.date + 100_000)
        fixture.clock.advance(by: .seconds(5))
        #expect(await fixture.approver.serverDate == Date(timeIntervalSince1970: 1_800_010_805))
    }

    /// The date in the header of an answer has whole seconds and is made once a second, so it runs behind.
    @Test(arguments: [0, 1, 2])
    func `tells of an end as expired by the time in the list, however far the header is behind`(behind: Int)
        async throws
    {
        let entry = fixture.entry(lasting: 9_000)
        var first = HTTPFields()
        (first[.eTag], first[.date]) = ("\"1\"", HTTPDate.text(of: fixture.clock.date - Double(behind)))
        var second = HTTPFields()
        (second[.eTag], second[.date]) = ("\"2\"", HTTPDate.text(of: fixture.clock.date + 9_000 - Double(behind)))
        fixture.looks(fixture.lookText(lasting: 9_000))
        lists(
            .json(AuthenticatorInbox(requests: [entry], serverTime: fixture.now), fields: first),
            .status(.notModified),
            .json(AuthenticatorInbox(requests: [], serverTime: fixture.now + 9_000), fields: second), .silence)
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting r1")
        #expect(await events.next(advancing: fixture.clock) == "expired r1")
        events.stop()
    }

    @Test func `shows what the server lists, also where the phone takes it for over`() async throws {
        // A header of a proxy that is an hour ahead; the list says the server's own time.
        var fields = HTTPFields()
        fields[.date] = HTTPDate.text(of: fixture.clock.date + 3600)
        fixture.looks(fixture.lookText())
        lists(.json(AuthenticatorInbox(requests: [fixture.entry()], serverTime: fixture.now), fields: fields))
        #expect(try await fixture.approver.waitingRequests().map(\.id) == [SignInRequest.ID("r1")])
    }

    @Test func `of a locked account goes on, and is not taken for a sign-out`() async throws {
        let locked = AuthenticatorFixture(time: { $0.source }, token: { throw LockedAccount() })
        var events = locked.approver.makeAsyncIterator()
        guard case .temporaryFailure(let error, retryingIn: _)? = try await events.next() else {
            Issue.record("the inbox ended")
            return
        }
        #expect(error.code == .accountLocked)
        guard case .unknown(last: nil, because: let reason) = await locked.approver.checkRegistration() else {
            Issue.record("taken for a sign-out")
            return
        }
        #expect(reason.code == .accountLocked)
    }

    private struct LockedAccount: TransientError {
        let isTransient = false
        let isAccountLocked = true
    }

    @Test func `goes on after temporary failures, and ends when the device was removed`() async throws {
        let skipping = AuthenticatorFixture()
        skipping.transport.reply(
            at: "/authenticator/inbox",
            with: .failure(TransportError(.notReached, because: "")), .status(.serviceUnavailable),
            skipping.listed([]), .status(.unauthorized))
        let (seen, error) = await all(of: skipping.approver)
        #expect(seen == ["temporary 1", "temporary 2", "waiting"] && error == .signedOut)
    }

    @Test func `drops a request at its deadline, although no server is reached`() async throws {
        fixture.looks(fixture.lookText(lasting: 20))
        lists(
            fixture.listed([fixture.entry(lasting: 20)]), .failure(TransportError(.notReached, because: "")))
        let events = EventReader(of: fixture.approver)
        // The request has to be shown before time passes.
        var last = await events.next()
        while last != nil, last != "waiting r1" { last = await events.next() }
        while last != nil, last != "expired r1" { last = await events.next(advancing: fixture.clock) }
        #expect(last == "expired r1")
        events.stop()
    }

    @Test func `ends with its reader`() async throws {
        lists(.silence)
        let approver = fixture.approver
        let reading = Task {
            var events = approver.makeAsyncIterator()
            return try await events.next()
        }
        await fixture.transport.requests(to: "/authenticator/inbox")
        reading.cancel()
        #expect(try await reading.value == nil)
    }

    @Test(arguments: [true, false])
    func `does not ask a server all the time that holds nothing open`(comparesTags: Bool) async throws {
        let skipping = AuthenticatorFixture()
        let start = skipping.clock.date
        let list = skipping.listed([])
        let again: ScriptedTransport.Reply = comparesTags ? .status(.notModified) : list
        skipping.transport.reply(at: "/authenticator/inbox", with: list, again, again, .status(.forbidden))
        #expect(await all(of: skipping.approver).1 == .notPermitted)
        #expect(skipping.clock.date.timeIntervalSince(start) == 10)
        #expect(skipping.transport.sent(to: "/authenticator/inbox").count == 4)
    }
}
