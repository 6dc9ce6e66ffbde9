internal import Countersign
internal import CountersignNearby
internal import FoundationEssentialsCompat

/// The search for phones nearby that may approve one request.
struct NearbyWay: Sendable {
    /// The time for a phone that has decided to say so, after the server was quicker: without its last word the two
    /// are not paired.
    private static let lastWord = Duration.seconds(3)

    private let requester: NearbyRequester
    private let screen: NearbyScreen
    private let options: NearbySignInOptions
    private let clock: TimeSource

    /// A search that has not begun; `nil` when the request does not fit into a link.
    init?(_ search: NearbySearch, for links: SignInLinks, reportingTo reporter: SignInReporter, by clock: TimeSource) {
        guard let request = links.request else { return nil }
        requester = NearbyRequester(search.settings, discovery: search.discovery)
        screen = NearbyScreen(NearbyPhones(requester), links: links, reporter: reporter)
        options = NearbySignInOptions(.server(request), pairs: search.pairs)
        self.clock = clock
    }

    /// Searches until there is a result; returns the reason when there is no approval.
    func run() async -> SignInError? {
        let result = await requester.signIn(options, on: screen)
        await screen.report(.ended(result))
        return switch result {
        case .granted, .stopped: nil
        case .declined: SignInError(.denied, because: "the person refused at a phone nearby")
        case .missesUsedUp: SignInError(.refused, because: "too many codes went wrong at a phone nearby")
        case .failed(let failure): SignInError(.refused, because: "phone nearby: \(failure)")
        case .timedOut: SignInError(.expired, because: "no phone nearby has answered")
        }
    }

    /// Waits for the last word of phones that have the request, a short time.
    func awaitLastWord() async {
        let end = clock.instant() + Self.lastWord
        while await screen.awaitsDecision, clock.instant() < end {
            guard (try? await clock.sleep(until: min(end, clock.instant() + .milliseconds(50)))) != nil else { return }
        }
    }
}

/// Reports what happens with phones nearby.
private actor NearbyScreen: NearbyRequesterDelegate {
    private let phones: NearbyPhones
    private let links: SignInLinks
    private let reporter: SignInReporter
    /// The phones that have the request, without a decision yet.
    private var deciding: Set<NearbyApprover.ID> = []
    private var listed: [NearbyApprover]?

    init(_ phones: NearbyPhones, links: SignInLinks, reporter: SignInReporter) {
        self.phones = phones
        self.links = links
        self.reporter = reporter
    }

    var awaitsDecision: Bool { !deciding.isEmpty }

    func report(_ event: NearbyEvent) async {
        if case .ended = event { deciding = [] }
        await reporter.show(.nearby(event, phones))
    }

    func show(_ approvers: [NearbyApprover]) async {
        guard approvers != listed else { return }
        listed = approvers
        await report(.found(approvers))
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async { await report(.code(code, approver)) }

    func takeCodeAway() async { await report(.codeIsOver) }

    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
        if progress == .askedForDecision { deciding.insert(approver.id) } else { deciding.remove(approver.id) }
        await report(.progress(progress, approver))
        // The list is told once more, so that the person may choose again.
        if case .ended(let failure) = progress, failure != .left { listed = nil }
    }

    func prepareRequest(over link: NearbyLinkID) { links.add(link) }
}
