internal import Countersign
internal import MulticastDNS
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What happens to an attempt at signing in.
enum SignInInput: Sendable {
    case discovered(DiscoveryEvent)
    case choose(NearbyApprover.ID)
    case tryAgain
    case goBack
    case recognized(Pairing, ConnectionID)
    case ended(ConnectionID, RequesterConversation.Ending)
    /// The only approver may be picked now.
    case settled
    case timeOver
    case stop
}

/// One attempt at signing in: who was found, who is asked, and what came of it.
///
/// Remembered approvers are asked at once, others one at a time and only when the person has picked them.
final class SignInAttempt {
    private enum Standing {
        /// It is dialled to find out whether it is remembered.
        case probed(ConnectionID)
        /// The person may pick it.
        case unknown
        case asked(ConnectionID)
    }

    private struct Candidate {
        var endpoints: [NearbyEndpoint]
        var standing: Standing?
        var pairing: Pairing?
    }

    private struct ActiveConversation {
        let approver: NearbyApprover
        let conversation: Conversation<RequesterAct>
        let isPicked: Bool
    }

    /// More than a person looks through; whoever makes up others fills no memory.
    private static let mostCandidates = 64

    private let settings: NearbySettings
    private let wish: NearbyWish
    private let screen: any NearbyScreen
    private let inputs: AsyncStream<SignInInput>
    private let input: AsyncStream<SignInInput>.Continuation
    private let coordinator: SignInCoordinator
    private let pairings: [Pairing]
    /// An approver whose address was given: the attempt ends with it.
    private let fixed: NearbyEndpoint?

    private var candidates: [NearbyApprover.ID: Candidate] = [:]
    private var conversations: [ConnectionID: ActiveConversation] = [:]
    private var endings: [Task<Void, Never>] = []
    private var lastNumber: UInt64 = 0
    private var settling: Task<Void, Never>?

    init(
        _ wish: NearbyWish,
        at fixed: NearbyEndpoint?,
        settings: NearbySettings,
        screen: any NearbyScreen,
        inputs: (stream: AsyncStream<SignInInput>, continuation: AsyncStream<SignInInput>.Continuation)
    ) {
        self.wish = wish
        self.fixed = fixed
        self.settings = settings
        self.screen = screen
        self.inputs = inputs.stream
        input = inputs.continuation
        coordinator = SignInCoordinator(screen: screen, attempt: inputs.continuation)
        pairings = settings.currentPairings(as: .requester)
    }

    /// Asks until there is a result; then everybody else is told that it is over.
    func run() async -> NearbyResult {
        if let fixed {
            let id = NearbyApprover.ID(name: "\(fixed.host):\(fixed.port)")
            candidates[id] = Candidate(endpoints: [fixed])
            await choose(id)
        }
        var result: NearbyResult?
        for await next in inputs {
            result = await take(next)
            if result != nil { break }
        }
        settling?.cancel()
        for active in conversations.values { active.conversation.act(.leave(.answeredElsewhere)) }
        for ending in endings { await ending.value }
        for id in conversations.keys { await coordinator.leave(id) }
        return result ?? .stopped
    }

    private func take(_ next: SignInInput) async -> NearbyResult? {
        switch next {
        case .discovered(let event): await discover(event)
        case .choose(let id): await choose(id)
        case .tryAgain: for active in conversations.values { active.conversation.act(.tryAgain) }
        case .goBack: for active in conversations.values { active.conversation.act(.goBack) }
        case .recognized(let pairing, let id): await recognize(pairing, id)
        case .ended(let id, let ending): return await end(id, ending)
        case .settled: await settle()
        case .timeOver: return .timedOut
        case .stop: return .stopped
        }
        return nil
    }
}

// Who is there.
extension SignInAttempt {
    private func discover(_ event: DiscoveryEvent) async {
        switch event {
        case .found: break
        case .removed(let instance):
            let id = NearbyApprover.ID(name: instance.name)
            switch candidates[id]?.standing {
            // A conversation that goes on needs no record.
            case .asked, .probed: candidates[id]?.endpoints = []
            case .unknown, nil: candidates[id] = nil
            }
            await present()
        case .resolved(let service):
            let id = NearbyApprover.ID(name: service.instance.name)
            let endpoints = service.addresses.map { NearbyEndpoint(host: $0.description, port: service.port) }
            guard candidates[id] != nil || candidates.count < Self.mostCandidates else { return }
            candidates[id, default: Candidate(endpoints: [])].endpoints = endpoints
            await probe()
        }
    }

    /// Dials whoever may be remembered; without anybody remembered, nobody.
    private func probe() async {
        for (id, candidate) in candidates where candidate.standing == nil {
            guard !pairings.isEmpty else {
                candidates[id]?.standing = .unknown
                continue
            }
            guard conversations.values.count(where: { !$0.isPicked }) < PairingHints.count else { break }
            let connection = await dial(id, isPicked: false)
            candidates[id]?.standing = .probed(connection)
        }
        await present()
    }

    private func recognize(_ pairing: Pairing, _ connection: ConnectionID) async {
        guard let active = conversations[connection] else { return }
        candidates[active.approver.id]?.pairing = pairing
        candidates[active.approver.id]?.standing = .asked(connection)
        let approver = approver(active.approver.id)
        await coordinator.enter(connection, approver)
        await screen.tell(.asking, of: approver)
        await present()
    }

    /// Shows the list, and lets the only one be picked after a moment.
    private func present() async {
        guard fixed == nil else { return }
        let listed = candidates.filter { if case .probed = $0.value.standing { false } else { true } }
        let latest = { (id: NearbyApprover.ID) in self.candidates[id]?.pairing?.lastUsed.timeIntervalSince1970 ?? 0 }
        let approvers = listed.keys.map { approver($0) }
            .sorted { latest($0.id) == latest($1.id) ? $0.name < $1.name : latest($0.id) > latest($1.id) }
        await screen.show(approvers)
        guard wish.picksTheOnlyOne, settling == nil, !approvers.isEmpty else { return }
        let (clock, input) = (settings.clock, input)
        let moment = clock.instant() + .seconds(1)
        settling = Task {
            guard (try? await clock.sleep(until: moment)) != nil else { return }
            input.yield(.settled)
        }
    }

    private func settle() async {
        guard candidates.count == 1, conversations.isEmpty, let only = candidates.first else { return }
        guard case .unknown = only.value.standing else { return }
        await choose(only.key)
    }

    private func approver(_ id: NearbyApprover.ID) -> NearbyApprover {
        NearbyApprover(id: id, name: id.name, rememberedAs: candidates[id]?.pairing?.peerName)
    }
}

// Who is asked.
extension SignInAttempt {
    /// The person has picked an approver: the one that was picked before is let go.
    private func choose(_ id: NearbyApprover.ID) async {
        guard let candidate = candidates[id] else { return }
        switch candidate.standing {
        case .asked, .probed: return
        case .unknown, nil: break
        }
        for active in conversations.values where active.isPicked { active.conversation.act(.leave(.answeredElsewhere)) }
        let connection = await dial(id, isPicked: true)
        candidates[id]?.standing = .asked(connection)
        await screen.tell(.asking, of: approver(id))
    }

    private func dial(_ approverID: NearbyApprover.ID, isPicked: Bool) async -> ConnectionID {
        lastNumber += 1
        let id = ConnectionID(lastNumber)
        let approver = approver(approverID)
        let conversation = Conversation<RequesterAct>(clock: settings.clock)
        conversations[id] = ActiveConversation(approver: approver, conversation: conversation, isPicked: isPicked)
        await coordinator.enter(id, approver)
        let terms = RequesterTerms(
            request: wish.request, name: settings.name, wantsToBeRemembered: wish.remembers,
            codesLeft: await coordinator.codesLeft, space: settings.space, times: settings.times)
        let endpoints = candidates[approverID]?.endpoints ?? []
        let (settings, pairings, coordinator, input) = (settings, pairings, coordinator, input)
        endings.append(
            Task {
                let requester = RequesterConversation(
                    id: id, settings: settings, terms: terms, pairings: pairings, isPicked: isPicked, coordinator: coordinator,
                    conversation: conversation)
                input.yield(.ended(id, await requester.run(at: endpoints)))
            })
        return id
    }

    /// A conversation is over. The first answer of somebody who is authenticated counts.
    private func end(_ id: ConnectionID, _ ending: RequesterConversation.Ending) async -> NearbyResult? {
        guard let active = conversations.removeValue(forKey: id) else { return nil }
        await coordinator.leave(id)
        candidates[active.approver.id]?.standing = .unknown
        let failed = approver(active.approver.id)
        if candidates[active.approver.id]?.endpoints.isEmpty == true { candidates[active.approver.id] = nil }
        let failure: NearbyFailure
        switch ending {
        case .link(.granted(let grant, let name, let trust), let link, let remembered):
            return .granted(
                NearbyGranted(
                    grant: grant, approver: name, trust: trust, link: link, isRemembered: remembered))
        case .link(.declined(let name), _, _): return .declined(by: name)
        case .link(.missesUsedUp, _, _): return .missesUsedUp
        case .link(.refused(let reason), _, _): failure = .refused(reason)
        case .link(.gone(let said), _, _): failure = .gone(said: said)
        case .link(.timedOut, _, _): failure = .timedOut
        case .link(.brokeProtocol, _, _): failure = .brokeProtocol
        case .link(.notAuthentic, _, _), .notAuthentic: failure = .notAuthentic
        case .link(.left, _, _), .left: failure = .left
        case .unreachable: failure = .unreachable
        case .turnedAway(let reason): failure = .turnedAway(reason)
        case .gone: failure = .gone(said: nil)
        case .unknown:
            await probe()
            return nil
        }
        guard await coordinator.codesLeft > 0 else { return .missesUsedUp }
        if fixed != nil { return .failed(failure) }
        if active.isPicked || failed.rememberedAs != nil { await screen.tell(.ended(failure), of: failed) }
        await probe()
        return nil
    }
}
