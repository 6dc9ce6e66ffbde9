internal import Countersign
internal import NIOCore

/// What a requester's side decides during a conversation.
enum RequesterAct: Sendable {
    /// The person wants another code.
    case tryAgain
    /// The person goes back from the code.
    case goBack
    /// This end goes.
    case leave(EndReason)
}

/// What a conversation asks of the attempt at signing in that it belongs to.
protocol RequesterCoordinator: Sendable {
    /// Whether this approver's code may be shown: one is, at a time.
    func show(_ code: LinkCode, of id: ConnectionID) async -> Bool
    /// Takes the code of a connection off the screen; returns when it is off.
    func takeCodeAway(of id: ConnectionID) async
    /// Tells the person what happens with an approver.
    func tell(_ news: RequesterNews, of id: ConnectionID) async
    /// The request is about to leave over a link.
    func prepareRequest(over link: NearbyLinkID, of id: ConnectionID) async
    /// A code was shown for nothing.
    func countMiss() async
    /// The approver turned out to be a remembered one.
    func recognize(_ pairing: Pairing, as id: ConnectionID) async
}

/// One conversation of a requester with one approver: dials, shakes hands, and does what `RequesterLink` says.
final class RequesterConversation {
    /// How a conversation has ended, before the link or on it.
    enum Ending: Sendable, Equatable {
        /// On the link.
        case link(RequesterOutcome, NearbyLinkID, remembered: Bool)
        /// No connection was made.
        case unreachable
        /// What answered there said so in clear. It is not authenticated, so this is a hint.
        case turnedAway(EndReason)
        /// The handshake failed.
        case notAuthentic
        /// It is none of the remembered ones, and the person has not picked it.
        case unknown
        /// The connection was closed during the handshake.
        case gone
        /// It wants a code, while that of another approver is on the screen.
        case anotherCodeIsShown
        /// This side has ended it.
        case left
    }

    /// How far the conversation has come.
    private enum Phase {
        /// Frame 1 was sent.
        case greeting(RequesterHandshake, since: ContinuousClock.Instant)
        /// The handshake is over.
        case linked(RequesterLink, SealedFrames, EstablishedLink)
    }

    /// Names the connection.
    let id: ConnectionID
    /// What the app says about itself.
    private let settings: NearbySettings
    /// What this side wants of the link.
    private let terms: RequesterTerms
    /// The pairings that the handshake gives hints for.
    private let pairings: [Pairing]
    /// Whether a stranger is talked to: because it was picked.
    private let isPicked: Bool
    /// What all conversations of the attempt share.
    private let coordinator: any RequesterCoordinator
    /// The inputs of this end.
    private let conversation: Conversation<RequesterAct>
    /// Cuts what arrives into frames.
    private var reader = FrameReader()
    /// How far the conversation has come.
    private var phase: Phase?
    /// How it has ended.
    private var ending: Ending?
    /// The version with which to dial once more.
    private var redial: LinkVersion?
    /// Whether the approver is remembered from now on.
    private var hasKeptPairing = false

    /// A conversation that has not begun.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - settings: What the app says about this device.
    ///   - terms: What this end wants of the link.
    ///   - pairings: The pairings that may be used.
    ///   - isPicked: Whether it was picked, and is not only dialled because it may be remembered.
    ///   - coordinator: What all conversations of this device share.
    ///   - conversation: The inputs of this end.
    init(
        id: ConnectionID,
        settings: NearbySettings,
        terms: RequesterTerms,
        pairings: [Pairing],
        isPicked: Bool,
        coordinator: any RequesterCoordinator,
        conversation: Conversation<RequesterAct>
    ) {
        self.id = id
        self.settings = settings
        self.terms = terms
        self.pairings = pairings
        self.isPicked = isPicked
        self.coordinator = coordinator
        self.conversation = conversation
    }

    /// Holds the conversation to its end.
    func run(at endpoints: [NearbyEndpoint]) async -> Ending {
        var version = LinkVersion.first
        for attempt in 0..<2 {
            redial = nil
            let dialling = Dialling(clock: settings.clock, timeout: settings.times.connect)
            guard let channel = await dialling.connect(to: endpoints) else { return .unreachable }
            await talk(over: channel, version, round: attempt)
            // Once, with another version of this side's own.
            guard attempt == 0, let other = redial else { break }
            version = other
            ending = nil
        }
        return ending ?? .gone
    }

    /// Holds the conversation over one connection.
    private func talk(
        over channel: any Channel,
        _ version: LinkVersion,
        round: Int
    ) async {
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
    private func take(_ input: Conversation<RequesterAct>.Input, _ output: Conversation<RequesterAct>.Output) async {
        if case .bytes(let bytes) = input { reader.append(bytes) }
        if case .greeting(let handshake, let since) = phase {
            await greet(handshake, since: since, input, output)
            // What came in the same piece as frame 2 is for the link.
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
        }
    }

    /// Takes an input during the handshake.
    ///
    /// - Parameters:
    ///   - handshake: The handshake, as far as it has come.
    ///   - start: The instant at which it begins.
    ///   - input: What has happened.
    ///   - output: Where this end says something.
    private func greet(
        _ handshake: RequesterHandshake,
        since start: ContinuousClock.Instant,
        _ input: Conversation<RequesterAct>.Input,
        _ output: Conversation<RequesterAct>.Output
    ) async {
        switch input {
        case .bytes: break
        case .closed: return ending = .gone
        case .act(.leave): return ending = .left
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
                // A stranger learns nothing of this side unless the person has picked it.
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

    /// Takes all messages that are whole.
    private func read(_ output: Conversation<RequesterAct>.Output) async {
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

    /// Lets an event happen on the link, and does what follows from it.
    private func perform(
        _ output: Conversation<RequesterAct>.Output,
        _ event: (inout RequesterLink) -> [RequesterEffect]
    ) async {
        guard case .linked(var link, let frames, let established) = phase else { return }
        let effects = event(&link)
        phase = .linked(link, frames, established)
        for effect in effects where ending == nil { await perform(effect, output) }
        if case .linked(let link, _, _) = phase { output.wake(at: link.deadline) }
    }

    /// Does one thing that the link wants done.
    private func perform(_ effect: RequesterEffect, _ output: Conversation<RequesterAct>.Output) async {
        guard case .linked(let link, var frames, let established) = phase else { return }
        let now = settings.clock.instant()
        switch effect {
        case .send(let message):
            if let sealed = frames.sealed(message) { output.send(sealed) }
            phase = .linked(link, frames, established)
        case .showCode(let code):
            guard await coordinator.show(code, of: id) else {
                await perform(output) { $0.leave(.answeredElsewhere, at: now) }
                return ending = .anotherCodeIsShown
            }
        case .takeCodeAway: await coordinator.takeCodeAway(of: id)
        case .tell(let news): await coordinator.tell(news, of: id)
        case .countMiss: await coordinator.countMiss()
        case .prepareRequest:
            if let pairing = established.pairing { settings.use(pairing) }
            await coordinator.prepareRequest(over: established.hash, of: id)
        case .settle(let keeping, let name):
            hasKeptPairing = keeping && keepPairing(of: established, named: name)
            let isKept = hasKeptPairing
            await perform(output) { $0.settled(remembering: isKept, at: now) }
        case .end(let outcome):
            ending = .link(outcome, established.hash, remembered: hasKeptPairing)
        }
    }

    /// Remembers the approver; returns whether that is written down.
    private func keepPairing(of link: EstablishedLink, named name: PeerName) -> Bool {
        settings.keep(link, as: .requester, peerName: name, account: nil)
    }
}
