internal import NIOCore

/// An event in a requester's conversation other than received bytes.
enum RequesterInput: Sendable {
    /// The person wants another code.
    case tryAgain
    /// The person dismisses the code.
    case goBack
    /// This end ends the conversation.
    case leave(EndReason)
    /// The handshake is abandoned; ignored once it is complete.
    case giveUp
}

/// The services that a conversation needs from its sign-in attempt.
protocol RequesterCoordinator: Sendable {
    /// Shows this approver's code, unless another one is on screen; returns whether it is shown.
    func show(_ code: LinkCode, of id: ConnectionID) async -> Bool
    /// Takes the code of a connection off the screen; returns when it is off.
    func takeCodeAway(of id: ConnectionID) async
    /// Reports the progress with an approver to the person.
    func tell(_ progress: RequesterProgress, of id: ConnectionID) async
    /// The request is about to be sent over a link.
    func prepareRequest(over link: NearbyLinkID, of id: ConnectionID) async
    /// A code was shown without success.
    func countMiss() async
    /// The approver has proved that the code was typed right.
    func giveCodeBack() async
    /// The approver turned out to be a paired one.
    func recognize(_ pairing: Pairing, as id: ConnectionID) async
}

/// One conversation of a requester with one approver: it connects, does the handshake, then carries out the effects of
/// `RequesterLink`.
final class RequesterConversation {
    /// The end of a conversation, before or after the link was established.
    enum Ending: Sendable, Equatable {
        /// On the link.
        case link(RequesterOutcome, NearbyLinkID, paired: Bool)
        /// No connection was made.
        case unreachable
        /// It sent an unencrypted refusal. It is not authenticated, so this is a hint only.
        case turnedAway(EndReason)
        /// The handshake failed.
        case notAuthentic
        /// It is not paired, and the person has not picked it.
        case unknown
        /// The connection was closed during the handshake.
        case gone
        /// It wants a code, while the code for another approver is on the screen.
        case anotherCodeIsShown
        /// This side has ended it.
        case left
    }

    /// The phase of the conversation.
    private enum Phase {
        /// Frame 1 was sent.
        case greeting(RequesterHandshake, since: ContinuousClock.Instant)
        /// The handshake is complete.
        case linked(RequesterLink, SealedFrames, EstablishedLink)
    }

    let id: ConnectionID
    private let settings: NearbySettings
    private let terms: RequesterLinkSettings
    /// The pairings that the handshake has hints for.
    private let pairings: [Pairing]
    /// Whether the person picked this approver, so that it need not be paired.
    private let isPicked: Bool
    /// The state shared by all conversations of the attempt.
    private let coordinator: any RequesterCoordinator
    private let conversation: Conversation<RequesterInput>
    /// Cuts what arrives into frames.
    private var reader = FrameReader()
    private var phase: Phase?
    /// The end of the conversation; `nil` while it runs.
    private var ending: Ending?
    /// The version for connecting once more.
    private var redial: LinkVersion?
    /// Whether the approver is paired from now on.
    private var hasKeptPairing = false
    /// The host that the approver was reached at.
    private var host = ""

    /// A conversation that has not begun.
    init(
        id: ConnectionID,
        settings: NearbySettings,
        terms: RequesterLinkSettings,
        pairings: [Pairing],
        isPicked: Bool,
        coordinator: any RequesterCoordinator,
        conversation: Conversation<RequesterInput>
    ) {
        self.id = id
        self.settings = settings
        self.terms = terms
        self.pairings = pairings
        self.isPicked = isPicked
        self.coordinator = coordinator
        self.conversation = conversation
    }

    /// Runs the conversation to its end.
    ///
    /// - Parameter pending: Connects to it, unless that is abandoned meanwhile.
    func run(at endpoints: [NearbyEndpoint], over pending: PendingConnection) async -> Ending {
        var version = LinkVersion.first
        for attempt in 0..<2 {
            redial = nil
            guard let reached = await pending.connect(to: endpoints) else { return .unreachable }
            host = reached.endpoint.host
            await talk(over: reached.channel, version, round: attempt)
            // Tries once more, with another version that this side supports.
            guard attempt == 0, let other = redial else { break }
            version = other
            ending = nil
        }
        return ending ?? .gone
    }

    /// Runs the conversation over one connection.
    private func talk(over channel: any Channel, _ version: LinkVersion, round: Int) async {
        guard
            let handshake = try? RequesterHandshake(
                app: settings.app, version: version, of: settings.versions, pairings: pairings,
                drawingFrom: settings.random)
        else {
            channel.close(promise: nil)
            return
        }
        guard let line = await channel.speaking() else { return }
        let start = settings.clock.instant()
        reader = FrameReader()
        phase = .greeting(handshake, since: start)
        await conversation.run(round: round, on: line) { output in
            output.send(handshake.frame)
            output.wake(at: start + self.settings.times.handshake)
        } take: { input, output in
            await self.take(input, output)
            return self.ending == nil
        }
    }
}

extension RequesterConversation {
    /// Takes one input, whatever the phase.
    private func take(_ input: Conversation<RequesterInput>.Input, _ output: Conversation<RequesterInput>.Output) async
    {
        if case .bytes(let bytes) = input { reader.append(bytes) }
        if case .greeting(let handshake, let since) = phase {
            await greet(handshake, since: since, input, output)
            // Bytes that arrived together with frame 2 belong to the link.
            guard case .linked = phase, case .bytes = input else { return }
        }
        let now = settings.clock.instant()
        switch input {
        case .bytes: await read(output)
        case .closed: await perform(output) { link in link.close() }
        case .time: await perform(output) { $0.pass(at: now) }
        case .wrote: break
        case .act(.tryAgain): await perform(output) { $0.tryAgain(at: now) }
        case .act(.goBack): await perform(output) { $0.goBack(at: now) }
        case .act(.leave(let reason)): await perform(output) { $0.leave(reason, at: now) }
        case .act(.giveUp): break
        }
    }

    /// Takes an input during the handshake.
    private func greet(
        _ handshake: RequesterHandshake,
        since start: ContinuousClock.Instant,
        _ input: Conversation<RequesterInput>.Input,
        _ output: Conversation<RequesterInput>.Output
    ) async {
        switch input {
        case .bytes: break
        case .closed: return ending = .gone
        case .act(.leave): return ending = .left
        case .act(.giveUp): return ending = .gone
        case .time where settings.clock.instant() >= start + settings.times.handshake: return ending = .gone
        case .time: return output.wake(at: start + settings.times.handshake)
        case .wrote, .act: return
        }
        do {
            guard let frame = try reader.next(of: HandshakeFrames.answerLengths) else { return }
            switch try handshake.read(frame) {
            case .refused(let reason, let versions):
                ending = .turnedAway(reason)
                guard reason == .version, let other = settings.versions.highest(sharedWith: versions) else { return }
                redial = other
            case .greeted(let greeted):
                // An unknown approver learns nothing about this side unless the person has picked it.
                guard isPicked || greeted.pairing != nil else { return ending = .unknown }
                let (frame, established) = try greeted.finish()
                output.send(frame)
                if let pairing = greeted.pairing { await coordinator.recognize(pairing, as: id) }
                let now = settings.clock.instant()
                let link = RequesterLink(on: established, terms: terms, drawingFrom: settings.random, at: now)
                phase = .linked(link, SealedFrames(established), established)
                await perform(output) { $0.begin(at: now) }
            }
        } catch {
            ending = .notAuthentic
        }
    }

    /// Handles all complete messages.
    private func read(_ output: Conversation<RequesterInput>.Output) async {
        while ending == nil, case .linked(let link, var frames, let established) = phase,
            let received = frames.next(from: &reader)
        {
            phase = .linked(link, frames, established)
            let now = settings.clock.instant()
            switch received {
            case .message(let message): await perform(output) { $0.receive(message, at: now) }
            case .nonsense: await perform(output) { $0.receiveNonsense(at: now) }
            case .broken:
                await perform(output) { $0.close() }
                ending = .notAuthentic
            }
        }
    }

    /// Applies an event to the link, and carries out the effects.
    private func perform(
        _ output: Conversation<RequesterInput>.Output,
        _ event: (inout RequesterLink) -> [RequesterEffect]
    ) async {
        guard case .linked(var link, let frames, let established) = phase else { return }
        let effects = event(&link)
        phase = .linked(link, frames, established)
        for effect in effects where ending == nil { await perform(effect, output) }
        if case .linked(let link, _, _) = phase { output.wake(at: link.deadline) }
    }

    /// Carries out one effect.
    private func perform(_ effect: RequesterEffect, _ output: Conversation<RequesterInput>.Output) async {
        guard case .linked(let link, var frames, let established) = phase else { return }
        let now = settings.clock.instant()
        switch effect {
        case .send(let message):
            if let sealed = frames.sealed(message) { output.send(sealed) }
            phase = .linked(link, frames, established)
        case .showCode(let code):
            guard await coordinator.show(code, of: id) else {
                await perform(output) { $0.couldNotShowCode(at: now) }
                return ending = .anotherCodeIsShown
            }
        case .takeCodeAway: await coordinator.takeCodeAway(of: id)
        case .tell(let progress): await coordinator.tell(progress, of: id)
        case .countMiss: await coordinator.countMiss()
        case .giveCodeBack: await coordinator.giveCodeBack()
        case .prepareRequest:
            if let pairing = established.pairing { settings.use(pairing, reachedAt: host) }
            await coordinator.prepareRequest(over: established.hash, of: id)
        case .settle(let keeping, let name):
            hasKeptPairing = keeping && keepPairing(of: established, named: name)
            let isKept = hasKeptPairing
            await perform(output) { $0.settled(pairing: isKept, at: now) }
        case .end(let outcome): ending = .link(outcome, established.hash, paired: hasKeptPairing)
        }
    }

    /// Stores the pairing with the approver; returns whether that was written.
    private func keepPairing(of link: EstablishedLink, named name: PeerName) -> Bool {
        settings.keep(link, as: .requester, peerName: name, account: nil, reachedAt: host)
    }
}
