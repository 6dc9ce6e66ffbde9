internal import FoundationEssentialsCompat

/// One sign-in attempt: it finds approvers, asks them, and returns the result.
///
/// Paired approvers are asked at once, others one at a time and only when the person has picked them.
final class SignInAttempt {
    private typealias Candidate = SignInCandidate

    /// Bounds the memory that fake approvers can use.
    private static let mostCandidates = 1024
    /// The time that a single approver must remain the only one before it is picked.
    private static let beforePickingTheOnlyOne = Duration.seconds(1)
    /// The pause before an approver that disconnected is retried; doubled each time in a row, up to the longest.
    private static let (shortestReturn, longestReturn) = (Duration.seconds(10), Duration.seconds(80))

    private let settings: NearbySettings
    /// The request, and the options of this attempt.
    private let options: NearbySignInOptions
    private let screen: any NearbyRequesterDelegate
    private let inputs: AsyncStream<SignInInput>
    private let input: AsyncStream<SignInInput>.Continuation
    /// The changes that discovery has found.
    private let mailbox: DiscoveryMailbox
    /// The state that all conversations share.
    private let coordinator: SignInCoordinator
    /// The approvers that are paired.
    private let pairings: [Pairing]
    /// The given address of the only approver; the attempt ends with its conversation.
    private let fixed: NearbyEndpoint?

    private var candidates: [NearbyApprover.ID: Candidate] = [:]
    private var conversations: [ConnectionID: ActiveConversation] = [:]
    /// The number of times that changes were taken from the mailbox.
    private var collections = 0
    /// Whether ``SignInInput/listChanged`` is under way: it comes once, however much has changed, so that what the
    /// person does never waits for a list to be shown many times.
    private var isListChanged = false
    private var lastNumber: UInt64 = 0
    /// Waits before a single approver is picked.
    private var settling: Task<Void, Never>?
    /// The approvers that are contacted because they may be paired.
    private var probeScheduler: ProbeScheduler
    /// Waits before connections without an answer give way to others.
    private var hurrying: Task<Void, Never>?
    /// Reports the verified approvers to discovery.
    private let confirm: @Sendable (NearbyApprover.ID) async -> Void
    /// Wait before an approver that disconnected is asked again.
    private var returns: [NearbyApprover.ID: Task<Void, Never>] = [:]
    /// Wait before an approver that is busy is asked again, as one that was picked or one that may be paired.
    private var retries: [NearbyApprover.ID: (task: Task<Void, Never>, isPicked: Bool)] = [:]

    /// An attempt that has not begun.
    init(
        _ options: NearbySignInOptions,
        at fixed: NearbyEndpoint?,
        settings: NearbySettings,
        screen: any NearbyRequesterDelegate,
        inputs: (stream: AsyncStream<SignInInput>, continuation: AsyncStream<SignInInput>.Continuation),
        mailbox: DiscoveryMailbox,
        confirming confirm: @escaping @Sendable (NearbyApprover.ID) async -> Void
    ) {
        self.options = options
        self.fixed = fixed
        self.settings = settings
        self.screen = screen
        self.inputs = inputs.stream
        input = inputs.continuation
        self.mailbox = mailbox
        coordinator = SignInCoordinator(screen: screen, attempt: inputs.continuation)
        pairings = settings.currentPairings(as: .requester)
        probeScheduler = ProbeScheduler(knowing: Set(pairings.flatMap(\.hosts)))
        self.confirm = confirm
    }

    /// Runs until there is a result, then ends all other conversations.
    func run() async -> NearbyResult {
        if let fixed {
            let id = NearbyApprover.ID(name: "\(fixed.host):\(fixed.port)")
            candidates[id] = Candidate(endpoints: [fixed], found: 0, rank: 0)
            await choose(id)
        }
        var result: NearbyResult?
        for await next in inputs {
            result = await take(next)
            if result != nil { break }
        }
        settling?.cancel()
        hurrying?.cancel()
        for waiting in returns.values { waiting.cancel() }
        for retry in retries.values { retry.task.cancel() }
        for active in conversations.values {
            active.conversation.act(.leave(.answeredElsewhere))
            active.pending.giveUp()
        }
        for (id, active) in conversations {
            await active.task.value
            await coordinator.leave(id)
        }
        return result ?? .stopped
    }

    /// Takes one input; returns the result when there is one.
    private func take(_ next: SignInInput) async -> NearbyResult? {
        switch next {
        case .discovered: collect()
        case .listChanged: await probe()
        case .choose(let id): await choose(id)
        case .tryAgain: for active in conversations.values { active.conversation.act(.tryAgain) }
        case .goBack: for active in conversations.values { active.conversation.act(.goBack) }
        case .recognized(let pairing, let id): await recognize(pairing, id)
        case .ended(let id, let ending): return await end(id, ending)
        case .settled: await settle()
        case .mayReturn(let id): letReturn(id)
        case .askAgain(let id): await askAgain(id)
        case .unanswered:
            hurrying = nil
            changeList()
        case .codesUsedUp: return .missesUsedUp
        case .timeOver: return .timedOut
        case .stop: return .stopped
        }
        return nil
    }
}

// Found approvers.
extension SignInAttempt {
    /// Handles appeared and disappeared approvers.
    private func collect() {
        collections += 1
        for change in mailbox.take() {
            if change.isRemoved { remove(change.id) }
            if let service = change.service { add(service, as: change.id) }
        }
        changeList()
    }

    private func remove(_ id: NearbyApprover.ID) {
        switch candidates[id]?.standing {
        // A running conversation does not need its addresses, and one that was picked is asked when it is back.
        case .asked, .probed: candidates[id]?.endpoints = []
        case .unknown where retries[id]?.isPicked == true: candidates[id]?.endpoints = []
        case .unknown, nil:
            candidates[id] = nil
            retries.removeValue(forKey: id)?.task.cancel()
        }
    }

    /// An approver was found, or has another address.
    private func add(_ service: ResolvedService, as id: NearbyApprover.ID) {
        guard candidates[id] != nil || makeRoom() else { return }
        var candidate = candidates[id] ?? Candidate(endpoints: [], found: collections, rank: rank())
        // Another port means that the approver was restarted. One that was picked is asked there after its pause.
        if Set(candidate.endpoints.map(\.port)) != [service.port], retries[id]?.isPicked != true {
            candidate.comeBack()
            retries.removeValue(forKey: id)?.task.cancel()
        }
        candidate.endpoints = service.addresses.map { NearbyEndpoint(host: $0.description, port: service.port) }
        candidates[id] = candidate
    }

    /// Asks an approver that had disconnected again.
    private func letReturn(_ id: NearbyApprover.ID) {
        returns[id] = nil
        candidates[id]?.comeBack()
        changeList()
    }

    /// Contacts approvers and shows the list soon: once for all that changes until then.
    private func changeList() {
        guard !isListChanged else { return }
        isListChanged = true
        input.yield(.listChanged)
    }

    /// Contacts the approvers that may be paired; none, if this device has no pairings. Then shows the list.
    private func probe() async {
        isListChanged = false
        if pairings.isEmpty {
            for (id, candidate) in candidates where candidate.standing == nil { candidates[id]?.standing = .unknown }
        }
        let waiting = candidates.filter { $0.value.standing == nil }.map { id, candidate in
            ProbeScheduler.Waiting(
                id: id, hosts: candidate.hosts, hasAnswered: candidate.hasAnswered, contacts: candidate.contacts,
                found: candidate.found, rank: candidate.rank)
        }
        let isCrowded = ProbeScheduler.isCrowded(waiting.count)
        for (id, probe) in probeScheduler.take(from: waiting, running: conversations.values.compactMap(\.probe)) {
            let connection = await startConversation(id, for: probe, isHurried: isCrowded && !probe.isPreferred)
            candidates[id]?.standing = .probed(connection)
            candidates[id]?.contacts += 1
        }
        if isCrowded { hurry() }
        await present()
    }

    /// Gives up the connections that have not answered for a while, since others wait for their places.
    private func hurry() {
        let now = settings.clock.instant()
        let probed = candidates.values.compactMap { candidate -> ActiveConversation? in
            guard case .probed(let connection) = candidate.standing, let active = conversations[connection] else {
                return nil
            }
            return active.probe?.isPreferred == true || active.isPicked ? nil : active
        }
        for active in probed where active.began + ProbeScheduler.crowdedTime <= now { active.conversation.act(.giveUp) }
        let next = probed.map { $0.began + ProbeScheduler.crowdedTime }.filter { $0 > now }.min()
        guard hurrying == nil, let next else { return }
        hurrying = receive(.unanswered, at: next)
    }

    /// A random number that puts approvers that are alike in an order.
    private func rank() -> UInt16 { settings.random.bytes(2).reduce(0) { $0 << 8 | UInt16($1) } }

    /// Whether there is room for another candidate, if need be in the place of one that could not be reached.
    private func makeRoom() -> Bool {
        guard candidates.count >= Self.mostCandidates else { return true }
        let silent = candidates.first { _, candidate in
            guard case .unknown = candidate.standing else { return false }
            return candidate.failure?.reason == .unreachable || candidate.failure?.reason == .gone(said: nil)
        }
        guard let silent else { return false }
        candidates[silent.key] = nil
        returns.removeValue(forKey: silent.key)?.cancel()
        return true
    }

    /// A paired approver is being asked.
    private func recognize(_ pairing: Pairing, _ connection: ConnectionID) async {
        guard let active = conversations[connection] else { return }
        candidates[active.approver.id]?.pairing = pairing
        candidates[active.approver.id]?.standing = .asked(connection)
        let approver = approver(active.approver.id)
        await coordinator.enter(connection, approver)
        await confirm(active.approver.id)
        if candidates[approver.id]?.backoff == nil { await screen.tell(.asking, of: approver) }
        changeList()
    }

    /// Shows the list, and schedules picking a single approver.
    private func present() async {
        guard fixed == nil else { return }
        let listed = candidates.filter { _, candidate in
            switch candidate.standing {
            // One that was busy, or was picked, stays on the list while it is contacted.
            case .probed(let connection): candidate.backoff != nil || conversations[connection]?.isPicked == true
            case .unknown: !candidate.endpoints.isEmpty
            case .asked, nil: true
            }
        }
        let latest = { (id: NearbyApprover.ID) in self.candidates[id]?.pairing?.lastUsed.timeIntervalSince1970 ?? 0 }
        let approvers = listed.keys.map { approver($0) }
            .sorted { latest($0.id) == latest($1.id) ? $0.name < $1.name : latest($0.id) > latest($1.id) }
        await screen.show(approvers)
        guard options.picksTheOnlyOne, settling == nil, onlyNewOne != nil else { return }
        settling = receive(.settled, at: settings.clock.instant() + Self.beforePickingTheOnlyOne)
    }

    /// Picks the single approver.
    private func settle() async {
        settling = nil
        guard let only = onlyNewOne else { return }
        await pick(only)
    }

    /// The single approver that was found, if it was not asked since it appeared and no conversation is running. One
    /// that is busy is asked again after its pause, and a paired one only if it is still recognized then.
    private var onlyNewOne: NearbyApprover.ID? {
        guard candidates.count == 1, conversations.isEmpty, let only = candidates.first, only.value.isNew,
            only.value.backoff == nil, case .unknown = only.value.standing
        else { return nil }
        return only.key
    }

    private func approver(_ id: NearbyApprover.ID) -> NearbyApprover {
        NearbyApprover(id: id, name: id.name, pairedAs: candidates[id]?.pairing?.peerName)
    }
}

// Conversations.
extension SignInAttempt {
    /// The person has picked an approver: conversations with others end, and their code is removed from the screen.
    private func choose(_ id: NearbyApprover.ID) async {
        guard let candidate = candidates[id] else { return }
        var kept: ConnectionID?
        switch candidate.standing {
        case .probed(let connection):
            // It is asked over this connection if it is paired, and otherwise when that is known.
            conversations[connection]?.isPickedMeanwhile = true
            kept = connection
        case .asked(let connection): kept = connection
        case .unknown, nil: break
        }
        for other in candidates.values {
            guard case .asked(let connection) = other.standing, connection != kept else { continue }
            conversations[connection]?.isDropped = true
            conversations[connection]?.conversation.act(.leave(.answeredElsewhere))
        }
        for (other, retry) in retries {
            retry.task.cancel()
            // One that has disappeared waited for this only.
            if other != id, candidates[other]?.endpoints.isEmpty == true { candidates[other] = nil }
        }
        retries = [:]
        await coordinator.clearScreen(unless: kept)
        candidates[id]?.failure = nil
        candidates[id]?.backoff = nil
        if kept == nil { await pick(id) } else { changeList() }
    }

    /// Asks an approver, whether it is paired or not. The person knows of one that was busy.
    private func pick(_ id: NearbyApprover.ID) async {
        let connection = await startConversation(id, for: nil, isHurried: false)
        candidates[id]?.standing = .asked(connection)
        candidates[id]?.isNew = false
        await confirm(id)
        if candidates[id]?.backoff == nil { await screen.tell(.asking, of: approver(id)) }
    }

    /// Begins a conversation.
    ///
    /// - Parameters:
    ///   - probe: The probe, if it is contacted because it may be paired; `nil` when it was picked.
    ///   - isHurried: Whether others wait for its place, so that connecting may not take long.
    private func startConversation(
        _ approverID: NearbyApprover.ID,
        for probe: ProbeScheduler.Probe?,
        isHurried: Bool
    ) async -> ConnectionID {
        lastNumber += 1
        let id = ConnectionID(lastNumber)
        let approver = approver(approverID)
        let conversation = Conversation<RequesterInput>(clock: settings.clock)
        await coordinator.enter(id, approver)
        let terms = RequesterLinkSettings(
            request: options.request, name: settings.name, wantsPairing: options.pairs,
            codesLeft: await coordinator.codesLeft, space: settings.space, times: settings.times)
        let all = candidates[approverID]?.endpoints ?? []
        let endpoints = all.filter { probe?.hosts.contains($0.host) ?? true }
        let longest = isHurried ? min(settings.times.connect, ProbeScheduler.crowdedTime) : settings.times.connect
        let pending = PendingConnection(clock: settings.clock, timeout: longest)
        let (settings, pairings, coordinator, input) = (settings, pairings, coordinator, input)
        let task = Task {
            let requester = RequesterConversation(
                id: id, settings: settings, terms: terms, pairings: pairings, isPicked: probe == nil,
                coordinator: coordinator, conversation: conversation)
            input.yield(.ended(id, await requester.run(at: endpoints, over: pending)))
        }
        conversations[id] = ActiveConversation(
            approver: approver, conversation: conversation, pending: pending, probe: probe,
            began: settings.clock.instant(), task: task)
        return id
    }

    /// A conversation has ended. The first answer of an authenticated approver counts.
    private func end(_ id: ConnectionID, _ ending: RequesterConversation.Ending) async -> NearbyResult? {
        guard let active = conversations.removeValue(forKey: id) else { return nil }
        let hasShownCode = await coordinator.hasShownCode(of: id)
        await coordinator.leave(id)
        candidates[active.approver.id]?.standing = .unknown
        if ending != .unreachable, ending != .gone { candidates[active.approver.id]?.hasAnswered = true }
        let failed = approver(active.approver.id)
        if candidates[active.approver.id]?.endpoints.isEmpty == true { candidates[active.approver.id] = nil }
        // An automatic contact failed, or it is not paired: the person has picked it.
        if active.isPickedMeanwhile, [.unknown, .unreachable, .gone].contains(ending), candidates[failed.id] != nil {
            await pick(failed.id)
            return nil
        }
        let failure: NearbyFailure
        switch ending {
        case .link(.granted(let grant, let name, let trust), let link, let paired):
            return .granted(
                NearbyGranted(
                    grant: grant, approver: name, trust: trust, link: link, isPaired: paired))
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
        case .anotherCodeIsShown: failure = .anotherCodeIsShown
        case .gone: failure = .gone(said: nil)
        case .unknown:
            changeList()
            return nil
        }
        guard await coordinator.codesLeft > 0 else { return .missesUsedUp }
        let isShown = active.isPicked || failed.pairedAs != nil
        // Another code is shown only when the person wants one.
        if failure.isBusy, isShown, !hasShownCode, !active.isDropped, candidates[active.approver.id] != nil {
            await waitToAskAgain(failed, isPicked: active.isPicked)
            return nil
        }
        if fixed != nil { return .failed(failure) }
        candidates[active.approver.id]?.backoff = nil
        let isRepeated = note(failure, of: active.approver.id)
        if !isRepeated, isShown { await screen.tell(.ended(failure), of: failed) }
        changeList()
        return nil
    }

    /// An approver is busy: it is retried after a pause, and the person is notified once.
    private func waitToAskAgain(_ approver: NearbyApprover, isPicked: Bool) async {
        let id = approver.id
        let earlier = candidates[id]?.backoff
        var backoff = earlier ?? BusyBackoff()
        let moment = settings.clock.instant() + backoff.next(drawingFrom: settings.random)
        candidates[id]?.failure = nil
        candidates[id]?.backoff = backoff
        retries.updateValue((receive(.askAgain(id), at: moment), isPicked), forKey: id)?.task.cancel()
        if earlier == nil { await screen.tell(.busy, of: approver) }
        changeList()
    }

    /// Asks an approver again that was busy, unless the person has picked another one or it is gone.
    private func askAgain(_ id: NearbyApprover.ID) async {
        guard let retry = retries.removeValue(forKey: id), case .unknown = candidates[id]?.standing else { return }
        guard !retry.isPicked else {
            // One that is away at this moment may be back after the next pause.
            guard candidates[id]?.endpoints.isEmpty == false else {
                return await waitToAskAgain(approver(id), isPicked: true)
            }
            return await pick(id)
        }
        // It may be another one by now, which must not be asked unless it is paired.
        candidates[id]?.standing = nil
        changeList()
    }

    /// Records the failure of a conversation, and the time of an automatic retry. Returns whether the person was
    /// notified of the same before, and has not picked it since.
    private func note(_ failure: NearbyFailure, of id: NearbyApprover.ID) -> Bool {
        guard var candidate = candidates[id] else { return false }
        let isRepeated = candidate.failure?.reason == failure
        let count = isRepeated ? (candidate.failure?.count ?? 0) + 1 : 1
        candidate.failure = (failure, count)
        candidates[id] = candidate
        guard failure == .unreachable || failure == .gone(said: nil), returns[id] == nil else { return isRepeated }
        let wait = min(Self.shortestReturn * (1 << min(count - 1, 8)), Self.longestReturn)
        returns[id] = receive(.mayReturn(id), at: settings.clock.instant() + wait)
        return isRepeated
    }

    /// Gives the attempt an input at a later instant, unless the task is cancelled before.
    private func receive(_ event: SignInInput, at moment: ContinuousClock.Instant) -> Task<Void, Never> {
        let (clock, input) = (settings.clock, input)
        return Task {
            guard (try? await clock.sleep(until: moment)) != nil else { return }
            input.yield(event)
        }
    }
}
