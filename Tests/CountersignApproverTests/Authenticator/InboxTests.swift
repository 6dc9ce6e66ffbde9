import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

/// Features 135, 136 and 140.
@Suite("The inbox of a device")
struct InboxTests {
    private let fixture = AuthenticatorFixture(time: { $0.source })

    private func lists(_ replies: ScriptedTransport.Reply...) {
        fixture.transport.reply(at: "/authenticator/inbox", with: replies)
    }

    private func request(_ entry: AuthenticatorInbox.Entry) -> WaitingRequest { WaitingRequest(entry) }

    @Test func `lists what waits, and nothing is no error`() async throws {
        lists(fixture.listed([]), fixture.listed([fixture.entry()]))
        #expect(try await fixture.authenticator.waitingRequests().isEmpty)
        let waiting = try await fixture.authenticator.waitingRequests()
        #expect(waiting == [request(fixture.entry())] && waiting.first?.deadline == fixture.clock.date + 60)
    }

    @Test func `is read by a request that the server holds until the list is another one`() async throws {
        let entry = fixture.entry()
        lists(fixture.listed([entry]), fixture.listed([], tag: "\"2\""), .silence)
        var events = fixture.authenticator.requests().makeAsyncIterator()
        #expect(await events.next() == .arrived(request(entry)))
        #expect(await events.next() == .withdrawn(request(entry)))
        let sent = fixture.transport.sent(to: "/authenticator/inbox").map(\.request.headerFields)
        #expect(sent.map { $0[.ifNoneMatch] } == [nil, "\"1\""])
        let prefer = try #require(HTTPField.Name("Prefer"))
        #expect(sent.map { $0[prefer] } == [nil, "wait=30"])
        #expect(fixture.transport.sent(to: "/authenticator/inbox").last?.limit == .seconds(45))
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
        var pauses: [Duration] = []
        for await event in skipping.authenticator.requests() {
            if case .temporaryFailure(_, let pause) = event { pauses.append(pause) }
        }
        #expect(pauses == [.seconds(seconds)])
        #expect(skipping.clock.date.timeIntervalSince(start) == Double(seconds))
    }

    @Test func `drops a request at its deadline, although the server says nothing`() async throws {
        let entry = fixture.entry(lasting: 60)
        lists(fixture.listed([entry]), .silence)
        let clock = fixture.clock
        let requests = fixture.authenticator.requests()
        let reading = Task {
            var seen: [InboxEvent] = []
            for await event in requests {
                seen.append(event)
                if seen.count == 2 { break }
            }
            return seen
        }
        await fixture.transport.requests(2, to: "/authenticator/inbox")
        await clock.sleepers()
        clock.advance(by: .seconds(60))
        #expect(await reading.value == [.arrived(request(entry)), .expired(request(entry))])
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
        lists(.json(AuthenticatorInbox(requests: [over, entry], serverTime: fixture.now + 10_800), fields: fields))
        #expect(try await fixture.authenticator.waitingRequests().map(\.id) == [SignInRequest.ID("r1")])
        #expect(await fixture.authenticator.serverDate == fixture.clock.date + 10_800)
        // Setting the phone's clock changes nothing; only time that passes does.
        fixture.clock.setDate(fixture.clock.date + 100_000)
        fixture.clock.advance(by: .seconds(5))
        #expect(await fixture.authenticator.serverDate == Date(timeIntervalSince1970: 1_800_010_805))
    }

    /// The date in the header of an answer has whole seconds and is made once a second, so it runs behind.
    @Test(arguments: [0, 1, 2])
    func `tells of an end as expired by the time in the list, however far the header is behind`(behind: Int)
        async throws
    {
        let entry = fixture.entry(lasting: 60)
        var first = HTTPFields()
        (first[.eTag], first[.date]) = ("\"1\"", HTTPDate.text(of: fixture.clock.date - Double(behind)))
        var second = HTTPFields()
        (second[.eTag], second[.date]) = ("\"2\"", HTTPDate.text(of: fixture.clock.date + 60 - Double(behind)))
        lists(
            .json(AuthenticatorInbox(requests: [entry], serverTime: fixture.now), fields: first),
            .json(AuthenticatorInbox(requests: [], serverTime: fixture.now + 60), fields: second), .silence)
        var events = fixture.authenticator.requests().makeAsyncIterator()
        #expect(await events.next() == .arrived(request(entry)))
        #expect(await events.next() == .expired(request(entry)))
    }

    @Test func `shows what the server lists, also where the phone takes it for over`() async throws {
        // A header of a proxy that is an hour ahead; the list says the server's own time.
        var fields = HTTPFields()
        fields[.date] = HTTPDate.text(of: fixture.clock.date + 3600)
        lists(.json(AuthenticatorInbox(requests: [fixture.entry()], serverTime: fixture.now), fields: fields))
        #expect(try await fixture.authenticator.waitingRequests() == [request(fixture.entry())])
    }

    @Test func `of a locked account goes on, and is not taken for a sign-out`() async throws {
        let skipping = AuthenticatorFixture(token: {
            throw LockedAccount()
        })
        var events = skipping.authenticator.requests().makeAsyncIterator()
        guard case .temporaryFailure(let error, retryingIn: _)? = await events.next() else {
            Issue.record("the inbox ended")
            return
        }
        #expect(error.code == .accountLocked)
        guard case .unknown(last: nil, because: let reason) = await skipping.authenticator.checkRegistration() else {
            Issue.record("taken for a sign-out")
            return
        }
        #expect(reason.code == .accountLocked)
    }

    private struct LockedAccount: TransientError {
        let isTransient = false
        let isAccountLocked = true
    }

    @Test func `tells of temporaryFailure and goes on, and ends when the device is signed out`() async throws {
        let skipping = AuthenticatorFixture()
        skipping.transport.reply(
            at: "/authenticator/inbox",
            with: .failure(TransportError(.notReached, because: "")), .status(.serviceUnavailable),
            skipping.listed([]), .status(.unauthorized))
        var seen: [InboxEvent] = []
        for await event in skipping.authenticator.requests() { seen.append(event) }
        let temporaryFailure = ApprovalError(.unreachable, because: "")
        #expect(
            seen == [
                .temporaryFailure(temporaryFailure, retryingIn: .seconds(1)),
                .temporaryFailure(temporaryFailure, retryingIn: .seconds(2)),
                .ended(ApprovalError(.signedOut, because: "")),
            ])
    }

    @Test func `drops a request at its deadline, although no server is reached`() async throws {
        let skipping = AuthenticatorFixture()
        let entry = skipping.entry(lasting: 20)
        let start = skipping.clock.date
        skipping.transport.reply(
            at: "/authenticator/inbox",
            with: skipping.listed([entry]), .failure(TransportError(.notReached, because: "")))
        for await event in skipping.authenticator.requests() where event == .expired(request(entry)) {
            // The pauses are 1, 2, 4, 8 and 16 s; the last one is not waited for.
            #expect(skipping.clock.date.timeIntervalSince(start) == 20)
            return
        }
        Issue.record("the request was not dropped")
    }

    @Test func `ends with its reader`() async throws {
        lists(.silence)
        let requests = fixture.authenticator.requests()
        let reading = Task {
            var events = requests.makeAsyncIterator()
            return await events.next()
        }
        await fixture.transport.requests(to: "/authenticator/inbox")
        reading.cancel()
        #expect(await reading.value == nil)
    }

    @Test func `does not ask a server all the time that holds nothing open`() async throws {
        let skipping = AuthenticatorFixture()
        let start = skipping.clock.date
        skipping.transport.reply(
            at: "/authenticator/inbox",
            with: skipping.listed([]), .status(.notModified), .status(.notModified), .status(.forbidden))
        for await _ in skipping.authenticator.requests() {}
        #expect(skipping.clock.date.timeIntervalSince(start) == 10)
        #expect(skipping.transport.sent(to: "/authenticator/inbox").count == 4)
    }
}
