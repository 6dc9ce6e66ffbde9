/// What an approver grants to all its connections together: handshakes, places in the line, questions to the person, and
/// wrong codes. It is a value; `NearbyListener` holds one and does what it says.
package struct ListenerGate: Sendable {
    /// A requester that is connected.
    private struct Guest: Sendable {
        /// Where it is.
        let address: NearbyAddress
        /// The pairing whose hint it gave.
        var pairing: PairingID?
        /// Whether it is authenticated.
        var isTrusted = false

        /// By what its questions are counted.
        var asker: PromptLimiter.Asker { pairing.map { .paired($0) } ?? .stranger(address) }
    }

    /// All that are connected.
    private var guests: [ConnectionID: Guest] = [:]
    /// Those in a handshake.
    private var handshakes: HandshakeSlots
    /// Those that wait to be served.
    private var line: WaitingQueue
    /// Whether strangers are heard.
    private var window: ListenerWindow
    /// How often the person was asked.
    private var prompts: PromptLimiter

    /// A gate without connections, its window closed.
    package init(limits: ListenerLimits = .standard) {
        handshakes = HandshakeSlots(limits: limits)
        line = WaitingQueue(longest: limits.line)
        window = ListenerWindow(limits: limits)
        prompts = PromptLimiter(limits: limits)
    }

    // The window.

    /// Lets strangers be heard; says from when on that is possible, when it is not now.
    package mutating func openWindow(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        window.open(at: now)
    }

    /// Lets strangers be heard no earlier than at an instant, because too many codes were wrong before.
    package mutating func barWindow(until instant: ContinuousClock.Instant) {
        window.bar(until: instant)
    }

    /// Lets no stranger be heard any more; says who has to go.
    package mutating func closeWindow() -> [ConnectionID] {
        window.close()
        return strangers
    }

    /// Whether strangers are heard.
    package func isWindowOpen(at now: ContinuousClock.Instant) -> Bool { window.isOpen(at: now) }

    // The handshake.

    /// A requester has connected; returns the connections to be closed for it.
    package mutating func arrive(_ id: ConnectionID, from address: NearbyAddress) -> [ConnectionID] {
        guests[id] = Guest(address: address)
        return handshakes.arrive(id, from: address)
    }

    /// What follows from a first frame.
    package enum Admission: Sendable, Equatable {
        /// It may go on; these have to go for it.
        case admitted(evicting: [ConnectionID])
        /// It is told this in clear.
        case refused(EndReason)
    }

    /// Its first frame is there; `pairing` is the one it hints at.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - pairing: The pairing that is meant; `nil` when there is none.
    ///   - now: The instant at which this happens.
    package mutating func greet(
        _ id: ConnectionID,
        hinting pairing: PairingID?,
        at now: ContinuousClock.Instant
    ) -> Admission {
        guests[id]?.pairing = pairing
        if pairing != nil { return .admitted(evicting: handshakes.hint(id)) }
        guard window.isOpen(at: now) else { return .refused(.windowClosed) }
        return handshakes.start(id, at: now) ? .admitted(evicting: []) : .refused(.busy)
    }

    // The line.

    /// It has asked, and waits for its turn; says why it may not.
    package mutating func join(_ id: ConnectionID, at now: ContinuousClock.Instant) -> EndReason? {
        handshakes.leave(id)
        guard let guest = guests[id] else { return .busy }
        guard guest.pairing != nil || window.isOpen(at: now) else { return .windowClosed }
        return line.join(id, isPaired: guest.pairing != nil) ? nil : .busy
    }

    /// Its answer is on its way, or it is gone: the next one moves up.
    package mutating func step(outOfLine id: ConnectionID) {
        line.leave(id)
    }

    /// Its connection is closed.
    package mutating func leave(_ id: ConnectionID) {
        handshakes.leave(id)
        line.leave(id)
        guests[id] = nil
    }

    /// Who is served.
    package var head: ConnectionID? { line.head }

    /// Who waits, the next one first.
    package var places: [ConnectionID] { line.places }

    // The person.

    /// Counts a question to the person; says why it may not be put.
    package mutating func prompt(_ id: ConnectionID, at now: ContinuousClock.Instant) -> EndReason? {
        guard let guest = guests[id] else { return .busy }
        return prompts.ask(guest.asker, at: now)
    }

    /// The person said "not now", or "no"; a stranger's "no" comes after a code, and silences no address. Says which pairing
    /// the person may want to forget.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - isNo: Whether they said no, and not merely "not now".
    ///   - now: The instant at which this happens.
    package mutating func refuse(
        _ id: ConnectionID,
        isNo: Bool,
        at now: ContinuousClock.Instant
    ) -> PairingID? {
        guard let guest = guests[id], guest.pairing != nil || !isNo else { return nil }
        return prompts.refuse(guest.asker, at: now) ? guest.pairing : nil
    }

    /// The person said yes.
    package mutating func approve(_ id: ConnectionID) {
        guests[id]?.isTrusted = true
        if let pairing = guests[id]?.pairing { prompts.approve(pairing) }
    }

    /// It has shown that it is the screen in front of the person.
    package mutating func trust(_ id: ConnectionID) {
        guests[id]?.isTrusted = true
    }

    /// A code went wrong, or a requester hung up after a nonce was given away. Says whether that closes the window.
    package mutating func miss(at now: ContinuousClock.Instant) -> Bool {
        window.miss(at: now)
    }

    /// Those who are neither paired nor authenticated, without the ones in a handshake.
    package var strangers: [ConnectionID] {
        guests.filter { $0.value.pairing == nil && !$0.value.isTrusted }.map(\.key)
    }

    /// How many handshakes are under way.
    package var handshakeCount: Int { handshakes.count }
}
