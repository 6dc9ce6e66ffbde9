internal import NIOCore

/// An event in an approver's conversation other than received bytes.
enum ApproverInput: Sendable {
    /// This requester has reached the head of the queue.
    case reachHead
    /// So many others are served first.
    case move(toPlace: Int)
    /// This end ends the conversation.
    case leave(EndReason)
    /// Too many codes were wrong, in this conversation or others.
    case closeAfterMisses
    /// The person has answered the question with that number.
    case answer(Answer, to: Int)

    /// A person's answer.
    enum Answer: Sendable {
        /// Whether the screen is in front of them.
        case confirmation(ScreenConfirmation)
        /// The digits that they typed; `nil` when they gave up.
        case digits(LinkCode?)
        /// Their decision.
        case decision(NearbyDecision)
    }
}

/// One conversation of an approver with one requester: it does the handshake, then carries out the effects of
/// `ApproverLink`.
final class ApproverConversation {
    /// The phase of the conversation.
    private enum Phase {
        /// Nothing was received.
        case silent
        /// Frame 2 was sent.
        case answered(ApproverHandshake.Answer)
        /// The handshake is complete.
        case linked(ApproverLink, SealedFrames, EstablishedLink)
    }

    private let id: ConnectionID
    /// The requester's network address, as this end sees it.
    private let address: NearbyAddress
    private let settings: NearbySettings
    /// The app, which asks the person.
    private let approval: any NearbyListenerDelegate
    /// The state shared by all conversations of this approver.
    private let coordinator: ListenerCoordinator
    private let conversation: Conversation<ApproverInput>
    /// Cuts what arrives into frames.
    private var reader = FrameReader()
    private var phase: Phase = .silent
    private var handshakeEnds: ContinuousClock.Instant?
    /// Whether the connection is to be closed.
    private var isOver = false
    /// The question that the person is being asked.
    private var question: (number: Int, task: Task<Void, Never>)?
    /// Whether the pairing is stored.
    private var hasKeptPairing = false
    /// The number of questions that the person was asked.
    private var questions = 0
    /// The last question to the person before the requester was authenticated.
    private var lastPrompt: NearbyPrompt?

    /// A conversation that has not begun.
    init(
        id: ConnectionID,
        from address: NearbyAddress,
        settings: NearbySettings,
        approval: any NearbyListenerDelegate,
        coordinator: ListenerCoordinator,
        conversation: Conversation<ApproverInput>
    ) {
        self.id = id
        self.address = address
        self.settings = settings
        self.approval = approval
        self.coordinator = coordinator
        self.conversation = conversation
    }

    func run(on channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async {
        let ends = settings.clock.instant() + min(settings.times.handshake, coordinator.limits.window)
        handshakeEnds = ends
        await conversation.run(on: channel) { output in
            output.wake(at: ends)
        } take: { input, output in
            await self.take(input, output)
            return !self.isOver
        }
        stopAsking()
        await coordinator.leave(id)
    }
}

// The handshake.
extension ApproverConversation {
    /// The output of this end.
    private typealias Output = Conversation<ApproverInput>.Output

    /// Takes one input, whatever the phase.
    private func take(_ input: Conversation<ApproverInput>.Input, _ output: Output) async {
        let now = settings.clock.instant()
        if case .bytes(let bytes) = input { reader.append(bytes) }
        guard case .linked = phase else { return await greet(input, output) }
        switch input {
        case .bytes: await read(output)
        case .closed: await perform(output) { $0.close() }
        case .time: await perform(output) { $0.pass(at: now) }
        case .wrote: await perform(output) { $0.wrote(at: now) }
        case .act(.reachHead): await perform(output) { $0.reachHead(at: now) }
        case .act(.move(let place)): await perform(output) { $0.move(toPlace: place, at: now) }
        case .act(.leave(let reason)): await perform(output) { $0.leave(reason, at: now) }
        case .act(.closeAfterMisses): await perform(output) { $0.leave(.missesUsedUp, .missesUsedUp, at: now) }
        case .act(.answer(let answer, to: let number)): await take(answer, to: number, output)
        }
    }

    /// Takes an input during the handshake.
    private func greet(_ input: Conversation<ApproverInput>.Input, _ output: Output) async {
        switch input {
        case .bytes: break
        case .closed, .act(.leave), .act(.closeAfterMisses): return isOver = true
        case .time:
            guard let ends = handshakeEnds, settings.clock.instant() < ends else { return isOver = true }
            return output.wake(at: ends)
        case .wrote, .act: return
        }
        do {
            if case .silent = phase {
                guard let frame = try reader.next(of: 1...HandshakeFrames.longestFirst) else { return }
                try await open(frame, output)
            }
            guard !isOver, case .answered(let answered) = phase else { return }
            let length = HandshakeFrames.thirdLength
            guard let frame = try reader.next(of: length...length) else { return }
            let established = try answered.read(frame)
            let now = settings.clock.instant()
            let terms = ApproverLinkSettings(
                name: settings.name, address: address,
                known: established.pairing == nil
                    ? settings.currentPairings(as: .approver).map(PairedName.init) : [],
                space: settings.space, times: settings.times)
            let link = ApproverLink(on: established, terms: terms, drawingFrom: settings.random, at: now)
            phase = .linked(link, SealedFrames(established), established)
            output.wake(at: link.deadline)
            await read(output)
        } catch {
            // The peer would not understand an answer.
            isOver = true
        }
    }

    /// Answers frame 1.
    ///
    /// - Throws: ``HandshakeError`` when the frame is invalid.
    private func open(_ frame: [UInt8], _ output: Output) async throws {
        let handshake = ApproverHandshake(app: settings.app, versions: settings.versions)
        switch try handshake.read(frame) {
        case .refused(let refusal):
            output.send(refusal.frame)
            isOver = true
        case .greeted(let greeted):
            let pairing = greeted.hinted(in: await coordinator.hints())
            switch await coordinator.greet(id, hinting: pairing?.id, opening: greeted.ephemeral) {
            case .replayed: isOver = true
            case .refused(let reason):
                output.send(PlaintextRefusal(reason: reason, versions: settings.versions).frame)
                isOver = true
            case .admitted:
                let answered = try greeted.answer(as: pairing, drawingFrom: settings.random)
                output.send(answered.frame)
                phase = .answered(answered)
            }
        }
    }
}

// The link.
extension ApproverConversation {
    /// Handles all complete messages.
    private func read(_ output: Output) async {
        while !isOver, case .linked(let link, var frames, let established) = phase,
            let received = frames.next(from: &reader)
        {
            phase = .linked(link, frames, established)
            let now = settings.clock.instant()
            switch received {
            case .message(let message): await perform(output) { $0.receive(message, at: now) }
            case .nonsense: await perform(output) { $0.receiveNonsense(at: now) }
            // No answer is sent, so that an attacker who changes bytes learns nothing.
            case .broken: await perform(output) { $0.close() }
            }
        }
    }

    /// Applies an event to the link, and carries out the effects.
    private func perform(_ output: Output, _ event: (inout ApproverLink) -> [ApproverEffect]) async {
        guard case .linked(var link, let frames, let established) = phase else { return }
        let effects = event(&link)
        phase = .linked(link, frames, established)
        for effect in effects where !isOver { await perform(effect, output) }
        if case .linked(let link, _, _) = phase { output.wake(at: link.deadline) }
    }

    /// Carries out one effect.
    private func perform(_ effect: ApproverEffect, _ output: Output) async {
        guard case .linked(let link, var frames, let established) = phase else { return }
        let now = settings.clock.instant()
        switch effect {
        case .send(let message):
            if let sealed = frames.sealed(message) { output.send(sealed) }
            phase = .linked(link, frames, established)
            if message == .trusted, let pairing = established.pairing { settings.use(pairing, reachedAt: address.text) }
        case .joinLine:
            if let reason = await coordinator.join(id) { await perform(output) { $0.leave(reason, at: now) } }
        case .prompt(let prompt):
            lastPrompt = prompt
            let approval = approval
            ask { .confirmation(await approval.confirmScreen(prompt)) }
        case .askForCode(let prompt):
            lastPrompt = prompt
            let approval = approval
            ask { .digits(await approval.digits(for: prompt)) }
        case .askForDecision(let request):
            await coordinator.trust(id)
            let approval = approval
            ask { .decision(await approval.decide(request)) }
        case .stopAsking: stopAsking()
        case .tellMissed:
            if let lastPrompt { await approval.missed(lastPrompt) }
        case .countMiss: await coordinator.miss(by: id)
        case .keepPairing(let name):
            hasKeptPairing = settings.keep(
                established, as: .approver, peerName: name, account: await approval.account,
                reachedAt: address.text)
        case .end(let outcome):
            isOver = true
            stopAsking()
            if questions > 0 { await approval.ended(established.hash, outcome.pairing(hasKeptPairing)) }
        }
    }

    /// Asks the person a question, which replaces the previous one.
    private func ask(_ question: @escaping @Sendable () async -> ApproverInput.Answer) {
        stopAsking()
        questions += 1
        let (number, conversation) = (questions, conversation)
        self.question = (
            number,
            Task {
                let answer = await question()
                guard !Task.isCancelled else { return }
                conversation.act(.answer(answer, to: number))
            }
        )
    }

    /// Cancels the question.
    private func stopAsking() {
        question?.task.cancel()
        question = nil
    }

    /// Handles an answer of the person, if it belongs to the current question.
    private func take(_ answer: ApproverInput.Answer, to number: Int, _ output: Output) async {
        guard question?.number == number else { return }
        question = nil
        let now = settings.clock.instant()
        switch answer {
        case .confirmation(.seen): await perform(output) { $0.see(at: now) }
        case .confirmation(.notNow):
            await refuse(isNo: false)
            await perform(output) { $0.leave(.notNow, at: now) }
        case .digits(let code?): await perform(output) { $0.type(code, at: now) }
        case .digits(nil): await perform(output) { $0.giveUp(at: now) }
        case .decision(let decision):
            switch decision {
            case .approve: await coordinator.approve(id)
            case .decline: await refuse(isNo: true)
            case .notNow: await refuse(isNo: false)
            case .askForCode, .refuse: break
            }
            await perform(output) { $0.decide(decision, at: now) }
            // The next requester can be served while the grant is being sent.
            if case .askForCode = decision { return }
            await coordinator.step(outOfLine: id)
        }
    }

    /// The person has refused: the requester may not ask for a while.
    private func refuse(isNo: Bool) async {
        if let pairing = await coordinator.refuse(id, isNo: isNo) { await approval.suggestForgetting(pairing) }
    }
}
