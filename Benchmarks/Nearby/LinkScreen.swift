internal import ArgumentParser
internal import CountersignNearby
internal import Foundation
internal import MulticastDNS
internal import NIOConcurrencyHelpers

/// The screen of ``LinkBenchmark``: looks for the phone, asks it, and prints how long each part took.
struct LinkScreen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-screen", abstract: "The screen that is measured.", shouldDisplay: false)

    func run() async throws {
        guard let purpose = NearbyPurpose("a measurement") else { throw BenchmarkFailure("That is no purpose.") }
        let requester = NearbyRequester(try LinkPhone.settings("A screen"), discovery: try LocalNetwork.discovery())
        let screen = TimedScreen(requester)
        let began = ContinuousClock.now
        let result = await requester.signIn(NearbySignInOptions(.bytes(purpose: purpose)), on: screen)
        let ended = ContinuousClock.now
        guard case .granted = result, let found = screen.moments.found, let linked = screen.moments.linked else {
            throw BenchmarkFailure("It ended with \(result).")
        }
        let spans = [began.duration(to: found), found.duration(to: linked), linked.duration(to: ended)]
        print("granted " + spans.map { "\($0 / .seconds(1))" }.joined(separator: " "))
        fflush(nil)
    }
}

/// A screen that picks the first phone at once.
private final class TimedScreen: NearbyRequesterDelegate {
    struct Moments {
        var found: ContinuousClock.Instant?
        /// The digits follow from what the phone sent over the link.
        var linked: ContinuousClock.Instant?
    }

    private let requester: NearbyRequester
    private let noted = NIOLockedValueBox(Moments())

    init(_ requester: NearbyRequester) {
        self.requester = requester
    }

    var moments: Moments { noted.withLockedValue { $0 } }

    func show(_ approvers: [NearbyApprover]) async {
        guard let first = approvers.first else { return }
        let isFirst = noted.withLockedValue { moments in
            defer { moments.found = moments.found ?? .now }
            return moments.found == nil
        }
        if isFirst { requester.choose(first.id) }
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        noted.withLockedValue { $0.linked = $0.linked ?? .now }
        print("code \(code.revealed)")
        fflush(nil)
    }

    func takeCodeAway() async {}
}
