import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

#if SecretService && os(Linux)
import DesktopBus
import DesktopUnderTest
#endif

/// Features 116 to 118, 120 to 122, 130 and 145.
@Suite("Notifications of an authenticator", .timeLimit(.minutes(10)))
struct NotificationTests {
    /// A system that notes what it is told.
    actor System: NotificationPresenter {
        nonisolated let events: AsyncStream<NotificationEvent>
        nonisolated let told: AsyncStream<NotificationEvent>.Continuation
        private(set) var registered: [[NotificationCategory]] = []
        private(set) var shown: [RequestNotification] = []
        private(set) var withdrawn: [SignInRequest.ID] = []
        private var failures: Int

        init(failing failures: Int = 0) {
            self.failures = failures
            (events, told) = AsyncStream.makeStream()
        }

        struct Failure: Error {}

        func register(_ categories: [NotificationCategory]) throws -> Bool {
            registered.append(categories)
            guard failures == 0 else {
                failures -= 1
                throw Failure()
            }
            return true
        }

        func present(_ notification: RequestNotification, actions: [NotificationAction]) { shown.append(notification) }
        func withdraw(_ request: SignInRequest.ID) { withdrawn.append(request) }
    }

    private let fixture = AuthenticatorFixture()

    // MARK: Choices at push messages

    @Test func `open the scanner where they ask for a code, also without a request`() async throws {
        let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
        let named = PushPayload(.scan, environment: environment, request: AuthenticationRequest.ID("r1"))
        let (told, telling) = AsyncStream.makeStream(of: NotificationOutcome.self)
        let system = System()
        let notifier = RequestNotifier(
            for: fixture.approver, with: NotificationRegistration(with: system), presenting: system
        ) { telling.yield($0) }
        let watching = Task { await notifier.watchNotifications() }
        defer { watching.cancel() }
        var outcomes = told.makeAsyncIterator()
        for message in [named, PushPayload(.scan, environment: environment)] {
            system.told.yield(try #require(NotificationEvent(.open, at: message)))
            #expect(await outcomes.next() == .openScanner(environment))
        }
    }

    @Test func `are for the request that a message names, and for the message where it names none`() {
        let id = SignInRequest.ID("r1")
        let named = PushPayload(.instant, request: AuthenticationRequest.ID("r1"))
        let later = NotificationAction.ID("later")
        #expect(NotificationEvent(.open, at: named) == .opened(id))
        #expect(NotificationEvent(.dismiss, at: named) == .dismissed(id))
        #expect(NotificationEvent(.button(.approve), at: named) == .chose(.approve, id))
        let plain = PushPayload(nil)
        #expect(NotificationEvent(.open, at: plain) == .openedMessage(plain))
        #expect(NotificationEvent(.button(later), at: plain) == .openedMessage(plain))
        #expect(NotificationEvent(.dismiss, at: plain) == nil)
        let scan = PushPayload(.scan, request: AuthenticationRequest.ID("r1"))
        #expect(NotificationEvent(.button(later), at: scan) == .openedMessage(scan))
        #expect(NotificationEvent(.dismiss, at: scan) == nil)
    }

    // MARK: Categories

    @Test func `have Approve and Deny by one call, registered once`() async throws {
        let system = System()
        let registration = NotificationRegistration(with: system)
        for _ in 0..<3 { #expect(try await registration.register()) }
        #expect(await system.registered == [NotificationCategory.standard])
        let declared = await registration.categories
        #expect(declared.map(\.kind.rawValue) == ["auth_instant", "auth_qr"])
        #expect(declared[0].actions.map(\.id.rawValue) == ["approved", "denied"])
        #expect(declared[0].actions.map(\.title) == ["Approve", "Deny"])
        #expect(declared[0].actions.allSatisfy { $0.options.contains(.needsUnlock) })
        #expect(declared[0].actions[1].options.contains(.isDestructive))
        #expect(declared[0].options == [.alert, .sound, .badge])
    }

    @Test func `have titles, buttons and options of the app's own, and complete exactly once`() async throws {
        let system = System(failing: 1)
        let registration = NotificationRegistration(with: system)
        let categories = [
            NotificationCategory(
                .instant,
                actions: [
                    .approve("Ja"), .deny("Nein"),
                    NotificationAction(NotificationAction.ID("later"), title: "Später", options: [.opensApp]),
                ],
                options: [.alert])
        ]
        let (results, teller) = AsyncStream.makeStream(of: Bool?.self)
        for _ in 0..<2 {
            registration.register(categories) { result in teller.yield(try? result.get()) }
            var count = 0
            for await result in results {
                count += 1
                #expect(result == nil || result == true)
                break
            }
            #expect(count == 1)
        }
        #expect(await registration.categories == categories)
        #expect(await registration.actions(of: .instant).map(\.title) == ["Ja", "Nein", "Später"])
        #expect(await registration.actions(of: .scan).isEmpty)
    }

    // MARK: Answers

    /// Runs a notifier that reads notifications alone, until it has told something.
    private func outcome(
        of event: NotificationEvent,
        on system: System,
        after message: PushPayload? = nil
    ) async -> NotificationOutcome? {
        let (outcomes, teller) = AsyncStream.makeStream(of: NotificationOutcome.self)
        let notifier = RequestNotifier(
            for: fixture.approver, with: NotificationRegistration(with: system), presenting: system
        ) { teller.yield($0) }
        if let message { await notifier.take(message) }
        let watching = Task { await notifier.watchNotifications() }
        defer { watching.cancel() }
        system.told.yield(event)
        for await outcome in outcomes { return outcome }
        return nil
    }

    @Test(arguments: [(NotificationAction.ID.approve, true), (.deny, false)])
    func `answer by their buttons, without the app`(action: NotificationAction.ID, isApproved: Bool) async throws {
        fixture.looks(fixture.lookText())
        fixture.decided(isApproved ? .approve : .deny)
        let system = System()
        let id = SignInRequest.ID("r1")
        let message = PushPayload(.instant, request: AuthenticationRequest.ID("r1"))
        let outcome = await outcome(of: .chose(action, id), on: system, after: message)
        #expect(outcome == .answered(id, isApproved: isApproved))
        #expect(try fixture.decisions.map(\.answer) == [isApproved ? .approve : .deny])
        // The answer is to the request that was shown: the server was asked once.
        #expect(fixture.transport.sent(to: "/approver/look").count == 1)
        let shown = try #require(await system.shown.first)
        #expect(shown.title == "Bank: sign in as Anna?")
        #expect(shown.body == "“Pay 10 euros”\nFrom 192.0.2.7, Breda, NL")
    }

    @Test func `look again in an app that was started by the button`() async throws {
        fixture.looks(fixture.lookText())
        fixture.decided(.deny)
        let outcome = await outcome(of: .chose(.deny, SignInRequest.ID("r1")), on: System())
        #expect(outcome == .answered(SignInRequest.ID("r1"), isApproved: false))
    }

    @Test func `open the app where digits have to be typed, and approve nothing`() async throws {
        fixture.looks(fixture.lookText(digits: 2))
        let system = System()
        guard case .openApp(let shown)? = await outcome(of: .chose(.approve, SignInRequest.ID("r1")), on: system)
        else {
            Issue.record("the app is opened")
            return
        }
        #expect(shown.step == .matchNumber)
        #expect(!RequestNotification(of: shown).offersApproval)
        #expect(try fixture.decisions.isEmpty)
    }

    @Test func `tell of messages in the foreground, and open the scanner for a code`() async throws {
        let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
        let message = PushPayload(["envId": environment.rawValue, "authId": "r1"], category: "auth_instant")
        #expect(await outcome(of: .arrived(message), on: System()) == .arrived(message))
        let (outcomes, teller) = AsyncStream.makeStream(of: NotificationOutcome.self)
        let system = System()
        let notifier = RequestNotifier(
            for: fixture.approver, with: NotificationRegistration(with: system), presenting: system
        ) { teller.yield($0) }
        await notifier.take(PushPayload(["envId": environment.rawValue, "type": "auth_qr"]))
        for await outcome in outcomes {
            #expect(outcome == .openScanner(environment))
            break
        }
    }

    @Test func `come from the inbox, too, and go when their request does`() async throws {
        let fixture = AuthenticatorFixture(time: { $0.source })
        fixture.looks(fixture.lookText())
        fixture.transport.reply(at: "/authenticator/inbox", with: fixture.listed([fixture.entry()]), .silence)
        let system = System()
        let notifier = RequestNotifier(
            for: fixture.approver, with: NotificationRegistration(with: system), presenting: system
        ) { _ in }
        let running = Task { await notifier.run() }
        while await system.shown.isEmpty { await Task.yield() }
        #expect(await system.shown.map(\.id) == [SignInRequest.ID("r1")])
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(61))
        while await system.withdrawn.isEmpty { await Task.yield() }
        #expect(await system.withdrawn == [SignInRequest.ID("r1")])
        running.cancel()
        await running.value
    }

    @Test(arguments: [
        (["envId": "2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d", "authId": "a1"], true, true),
        (["envId": "2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d"], true, false), (["authId": "a1"], false, true),
        ([:], false, false), (["envId": "none", "authId": ""], false, false),
    ])
    func `name environment and request as far as they are there`(
        info: [String: String],
        hasEnvironment: Bool,
        hasRequest: Bool
    ) {
        let payload = PushPayload(info, category: "auth_instant")
        #expect((payload.environment != nil) == hasEnvironment && (payload.request != nil) == hasRequest)
        #expect(PushPayload(["envId": 1, "authId": [1]], category: "auth_instant") == PushPayload(.instant))
    }

    // MARK: Systems

    @Test func `are lines in a terminal, and answered by a line`() async throws {
        let lines = NIOLockedValueBox<[String]>([])
        let text = TextNotifications { line in lines.withLockedValue { $0.append(line) } }
        let shown = try await fixture.shown()
        await text.present(RequestNotification(of: shown), actions: NotificationCategory.standard[0].actions)
        #expect(
            lines.withLockedValue(\.self) == [
                "[1] Bank: sign in as Anna?", "    “Pay 10 euros”", "    From 192.0.2.7, Breda, NL",
                "    Type: 1 approve, or 1 deny",
            ])
        for line in ["", "x", "2 approve", "1 maybe", "approve"] { #expect(await !text.typed(line)) }
        #expect(await text.typed("1 Approve"))
        var events = text.events.makeAsyncIterator()
        #expect(await events.next() == .chose(.approve, SignInRequest.ID("r1")))
        await text.present(RequestNotification(of: shown), actions: [])
        await text.withdraw(SignInRequest.ID("r1"))
        #expect(lines.withLockedValue(\.last) == "[2] is over.")
    }

    #if SecretService && os(Linux)
    @Test func `have buttons on a Linux desktop, and the server hears of the one that is pressed`() async throws {
        let desktop = try await DesktopUnderTest.startNotifications()
        fixture.looks(fixture.lookText())
        fixture.decided(.approve)
        let presenter = DesktopNotifications(
            of: "Phone", on: SessionBusAddress(desktop.address), clock: .system)
        let registration = NotificationRegistration(with: presenter)
        #expect(try await registration.register())
        let (outcomes, teller) = AsyncStream.makeStream(of: NotificationOutcome.self)
        let notifier = RequestNotifier(
            for: fixture.approver, with: registration, presenting: presenter
        ) { teller.yield($0) }
        let watching = Task { await notifier.watchNotifications() }
        await notifier.take(PushPayload(.instant, request: AuthenticationRequest.ID("r1")))
        try await desktop.isCalled("Notify 1 Bank: sign in as Anna? [default,Open,approved,Approve,denied,Deny]")
        try desktop.press("approved", on: 1)
        for await outcome in outcomes {
            #expect(outcome == .answered(SignInRequest.ID("r1"), isApproved: true))
            break
        }
        #expect(try fixture.decisions.map(\.answer) == [.approve])
        await notifier.take(PushPayload(.instant, request: AuthenticationRequest.ID("r1")))
        try await desktop.isCalled("Notify 2 Bank: sign in as Anna? [default,Open,approved,Approve,denied,Deny]")
        await presenter.withdraw(SignInRequest.ID("r1"))
        try await desktop.isCalled("CloseNotification 2")
        watching.cancel()
    }

    @Test func `are not there without a bus`() async throws {
        let presenter = DesktopNotifications(
            of: "Phone", on: SessionBusAddress("unix:path=/nonexistent/bus"), clock: .system)
        let registration = NotificationRegistration(with: presenter)
        #expect(
            await code { () async throws(ApprovalError) in try await registration.register() } == .notOffered)
    }
    #endif
}
