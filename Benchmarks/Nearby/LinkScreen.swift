internal import ArgumentParser
internal import CountersignNearby
internal import Foundation
internal import MulticastDNS
internal import NIOConcurrencyHelpers

/// The screen of ``LinkBenchmark``: looks for the phone, asks it, and prints how long each part took.
struct LinkScreen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-screen", abstract: "The screen that is measured.", shouldDisplay: false)

    /// The name of a screen's first sign-in.
    static let first = "first"

    @Flag(name: .long, help: "Pairs with the phone, and signs in again under each name that is typed.")
    var pairs = false

    func run() async throws {
        guard let purpose = NearbyPurpose("a measurement") else { throw BenchmarkFailure("That is no purpose.") }
        let requester = NearbyRequester(try LinkPhone.settings("A screen"), discovery: try LocalNetwork.discovery())
        let options = NearbySignInOptions(.bytes(purpose: purpose), pairs: pairs, lifetime: .seconds(30))
        var next: String? = Self.first
        while let name = next {
            print("\(name) \(await Self.signIn(options, by: requester))")
            fflush(nil)
            next = pairs ? readLine() : nil
        }
    }

    /// Signs in once; returns how that ended, in words.
    private static func signIn(_ options: NearbySignInOptions, by requester: NearbyRequester) async -> String {
        let screen = TimedScreen(requester)
        let began = ContinuousClock.now
        let result = await requester.signIn(options, on: screen)
        let ended = ContinuousClock.now
        guard case .granted = result, let found = screen.moments.found, let linked = screen.moments.linked else {
            return "ended with \(result)"
        }
        return LinkRun(
            found: began.duration(to: found) / .seconds(1), linked: found.duration(to: linked) / .seconds(1),
            granted: linked.duration(to: ended) / .seconds(1)
        ).text
    }
}

/// A screen that picks the first phone at once.
private final class TimedScreen: NearbyRequesterDelegate {
    struct Moments {
        var found: ContinuousClock.Instant?
        /// The digits, and for a paired phone the request, follow the first message that it sends over the link.
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

    /// A phone that is paired is asked without being picked, and shows no code.
    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
        noted.withLockedValue { moments in
            moments.found = moments.found ?? .now
            if progress == .askedForDecision { moments.linked = moments.linked ?? .now }
        }
    }
}
