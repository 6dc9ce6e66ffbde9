import Countersign
import CountersignTesting
import CountersignWire
import FoundationEssentialsCompat
import Testing

@testable import CountersignNearby
@testable import CountersignRequester

@Suite("The code on a screen")
struct InvitationVisibilityTests {
    private let invitation: Invitation
    private let phones: NearbyPhones
    private let phone = NearbyApprover(
        id: NearbyApprover.ID(name: "Anna's phone"), name: "Anna's phone", pairedAs: nil)
    private let number = SignInEvent.verificationNumber(VerificationNumber("42"))

    init() throws {
        let page = try #require(URL(string: "https://id.example.com/activate"))
        invitation = Invitation(
            userCode: UserCodeText("WDJB-MJHT"), verificationURI: page, verificationURIComplete: nil,
            deadline: Date(timeIntervalSince1970: 1_800_000_000))
        let settings = NearbySettings(
            app: try #require(NearbyAppID("net.example.player")), name: try #require(PeerName("Living room")),
            pairings: MemoryPairingStore(), clock: .system, random: .system)
        phones = NearbyPhones(NearbyRequester(settings, discovery: NoNetwork()))
    }

    private func events(_ events: [SignInEvent]) -> [SignInEvent] {
        var visibility = InvitationVisibility()
        return events.flatMap { visibility.events(for: $0) }
    }

    private func nearby(_ event: NearbyEvent) -> SignInEvent { .nearby(event, phones) }

    private func digits() -> SignInEvent { nearby(.code(LinkCode(digits: "123456"), phone)) }

    @Test func `goes while a person who opened the link needs the number, and comes back after that`() {
        let all = events([.invitation(invitation), number, .verificationNumber(nil)])
        #expect(
            all == [
                .invitation(invitation), .invitationHidden, number, .verificationNumber(nil), .invitation(invitation),
            ])
    }

    @Test func `stays beside the number of a person who is asked by push`() {
        let all: [SignInEvent] = [.began(.push), number, .invitation(invitation)]
        #expect(events(all) == all)
        let ended: [SignInEvent] = [.ended(.push, SignInError(.notRemembered, because: "")), .invitation(invitation)]
        #expect(events(ended + [number]) == ended + [.invitationHidden, number])
    }

    @Test func `goes while a phone nearby has the digits or the request, and comes back if that fails`() throws {
        let all = events([
            .invitation(invitation), digits(), nearby(.codeIsOver), nearby(.progress(.askedForDecision, phone)),
            nearby(.progress(.ended(.timedOut), phone)),
        ])
        #expect(
            all == [
                .invitation(invitation), .invitationHidden, digits(), nearby(.codeIsOver),
                nearby(.progress(.askedForDecision, phone)), nearby(.progress(.ended(.timedOut), phone)),
                .invitation(invitation),
            ])
    }

    @Test func `is held back until a phone that was quicker is done`() throws {
        let missed = nearby(.progress(.missed(codesLeft: 2), phone))
        #expect(
            events([digits(), .invitation(invitation), nearby(.codeIsOver), missed])
                == [digits(), nearby(.codeIsOver), missed, .invitation(invitation)])
    }

    @Test func `stays beside a phone that gets each request without an act of its person`() {
        let all: [SignInEvent] = [.invitation(invitation), nearby(.progress(.askedForDecision, phone))]
        #expect(events(all) == all)
    }

    @Test func `is not shown again for the moment between an approval nearby and the end`() throws {
        let all = events([
            .invitation(invitation), digits(), nearby(.progress(.askedForDecision, phone)),
            nearby(.ended(.stopped)),
        ])
        #expect(all.count { $0 == .invitation(invitation) } == 1)
    }

    @Test func `has the newest link when it comes back`() throws {
        let link = try #require(URL(string: "https://id.example.com/activate?user_code=WDJB-MJHT&t=2"))
        let all = events([.invitation(invitation), number, .link(link), .verificationNumber(nil)])
        #expect(all.last == .invitation(invitation.linked(by: link)))
        #expect(!all.contains(.link(link)))
    }

    @Test func `is told to a screen that begins to watch late only while it is needed`() async throws {
        let announcer = SignInAnnouncer()
        let reporter = SignInReporter(announcer)
        for event in [.invitation(invitation), number] { reporter.report(event) }
        var late = announcer.watch().makeAsyncIterator()
        #expect(await late.next() == number)
        reporter.report(.verificationNumber(nil))
        var later = announcer.watch().makeAsyncIterator()
        #expect(await later.next() == .invitation(invitation))
    }

    @Test func `is not told to a screen that begins to watch while a phone nearby needs the digits`() async throws {
        let announcer = SignInAnnouncer()
        let reporter = SignInReporter(announcer)
        let waiting = SignInEvent.waiting(until: invitation.deadline)
        for event in [.invitation(invitation), waiting, digits()] { reporter.report(event) }
        var late = announcer.watch().makeAsyncIterator()
        #expect(await late.next() == digits())
        #expect(await late.next() == waiting)
        for over in [nearby(.codeIsOver), nearby(.ended(.timedOut)), .began(.nearby)] {
            for event in [digits(), over] { reporter.report(event) }
            var later = announcer.watch().makeAsyncIterator()
            let first = try #require(await later.next())
            #expect(first != digits())
        }
    }

    /// A network without phones.
    private struct NoNetwork: Discovery {
        func browse(_ type: ServiceType) -> DiscoveryEvents { DiscoveryEvents(AsyncStream { $0.finish() }) }

        func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement { throw CancellationError() }
    }
}
