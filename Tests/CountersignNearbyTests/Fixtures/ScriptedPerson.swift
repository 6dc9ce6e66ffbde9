import Countersign
@testable import CountersignNearby
import NIOConcurrencyHelpers

/// A person with a screen and a phone in front of them, who does as the test says.
///
/// The person types the code of the screen at the phone; the test decides everything else that they say.
final class ScriptedPerson: NearbyRequesterDelegate, NearbyListenerDelegate {
    struct Said: Sendable {
        var confirmation: ScreenConfirmation = .seen
        var decision: NearbyDecision = .approve(.bytes([]), pairs: false)
        /// The text that is typed in place of the code that is shown.
        var typed: (@Sendable (LinkCode) -> String?)?
        /// Whether the person picks the first approver that is listed.
        var picks = false
        var retries = false
        var mayDecide = true
        /// Whether a paired screen has to show digits first.
        var wantsDigits = false
    }

    private struct State {
        var said: Said
        var shown: LinkCode?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var events: [String] = []
        var prompts: [NearbyPrompt] = []
        var requests: [ReceivedRequest] = []
        var progress: [NearbyProgress] = []
        var lists: [[NearbyApprover]] = []
        var failures: [(reason: NearbyFailure, approver: NearbyApprover)] = []
        var codes: [(code: LinkCode, approver: NearbyApprover)] = []
        var outcomes: [ApproverOutcome] = []
        var links: [NearbyLinkID] = []
        var suggested: [PairingID] = []
    }

    private let state: NIOLockedValueBox<State>
    private let requester = NIOLockedValueBox<NearbyRequester?>(nil)

    init(_ said: Said = Said()) {
        state = NIOLockedValueBox(State(said: said))
    }

    /// Sets the requester that the person picks at and asks for new codes.
    func use(_ requester: NearbyRequester) { self.requester.withLockedValue { $0 = requester } }

    func say(_ change: (inout Said) -> Void) { state.withLockedValue { change(&$0.said) } }

    var prompts: [NearbyPrompt] { state.withLockedValue(\.prompts) }
    var requests: [ReceivedRequest] { state.withLockedValue(\.requests) }
    var progress: [NearbyProgress] { state.withLockedValue(\.progress) }
    var lists: [[NearbyApprover]] { state.withLockedValue(\.lists) }
    /// The conversations that led to nothing, and the codes that were shown, each with its approver.
    var failures: [(reason: NearbyFailure, approver: NearbyApprover)] { state.withLockedValue(\.failures) }
    var codes: [(code: LinkCode, approver: NearbyApprover)] { state.withLockedValue(\.codes) }
    var outcomes: [ApproverOutcome] { state.withLockedValue(\.outcomes) }
    var links: [NearbyLinkID] { state.withLockedValue(\.links) }
    var suggested: [PairingID] { state.withLockedValue(\.suggested) }
    var shown: LinkCode? { state.withLockedValue(\.shown) }
    var events: [String] { state.withLockedValue(\.events) }

    /// Returns once `holds`; every event is an occasion to look again.
    func when(_ holds: @escaping @Sendable (ScriptedPerson) -> Bool) async {
        while !holds(self) {
            await withCheckedContinuation { continuation in
                let count = events.count
                let isLate = state.withLockedValue { state in
                    guard state.events.count == count else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    private func note(_ event: String, _ change: (inout State) -> Void) {
        let waiting = state.withLockedValue { state in
            state.events.append(event)
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

// The screen.
extension ScriptedPerson {
    func show(_ approvers: [NearbyApprover]) async {
        note("list") { $0.lists.append(approvers) }
        if state.withLockedValue(\.said.picks), let first = approvers.first {
            requester.withLockedValue { $0?.choose(first.id) }
        }
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        note("code") { state in
            state.shown = code
            state.codes.append((code, approver))
        }
    }

    func takeCodeAway() async {
        note("blank") { $0.shown = nil }
    }

    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
        note("progress") { state in
            state.progress.append(progress)
            if case .ended(let failure) = progress { state.failures.append((failure, approver)) }
        }
        if case .missed = progress, state.withLockedValue(\.said.retries) {
            requester.withLockedValue { $0?.tryAgain() }
        }
    }

    func prepareRequest(over link: NearbyLinkID) async {
        note("prepare") { $0.links.append(link) }
    }
}

// The phone.
extension ScriptedPerson {
    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
        note("prompt") { $0.prompts.append(prompt) }
        return state.withLockedValue(\.said.confirmation)
    }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        note("digits") { _ in }
        await when { $0.shown != nil }
        guard let code = shown else { return nil }
        guard let typed = state.withLockedValue(\.said.typed) else { return code }
        return typed(code).flatMap { CodeSpace.standard.code(typed: $0) }
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        note("decide") { $0.requests.append(request) }
        if request.canAskForCode, state.withLockedValue(\.said.wantsDigits) { return .askForCode }
        await when { $0.state.withLockedValue(\.said.mayDecide) }
        return state.withLockedValue(\.said.decision)
    }

    /// The person reads a code from another screen.
    func see(_ code: LinkCode) {
        note("code") { $0.shown = code }
    }

    /// Lets a decision that waits be taken.
    func letDecide() {
        note("may decide") { $0.said.mayDecide = true }
    }

    func missed(_ prompt: NearbyPrompt) async { note("missed") { _ in } }

    func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async {
        note("ended") { $0.outcomes.append(outcome) }
    }

    func suggestForgetting(_ pairing: PairingID) async {
        note("suggest") { $0.suggested.append(pairing) }
    }

    func windowClosedAfterMisses() async { note("closed") { _ in } }

    func renamed(from name: String, to other: String) async { note("renamed from \(name) to \(other)") { _ in } }

    func nameContested() async { note("name contested") { _ in } }
}
