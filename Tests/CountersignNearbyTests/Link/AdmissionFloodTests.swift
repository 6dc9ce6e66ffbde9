import CountersignNearby
import CountersignTesting
import Testing

/// Attackers with fifty addresses, for two minutes; then a newcomer tries every five seconds.
@Suite("The gate of an approver beside fifty addresses")
struct AdmissionFloodTests {
    private let now = Fixture.instant

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.\(number / 256).\(number % 256)") }

    /// After how many seconds the person is asked about the newcomer, whose handshakes take a fifth of a second; `nil`
    /// when they are not within thirty. The person says "not now" to all others, each after three seconds.
    ///
    /// - Parameters:
    ///   - opening: The step in which the person opens the window.
    ///   - hasComeBefore: Whether it is no newcomer: it has waited a minute before, in vain.
    ///   - seed: What the draws begin with.
    ///   - attack: What the others do in a step; returns the connections that are closed.
    private func newcomer(
        openingAt opening: Int = 0,
        hasComeBefore: Bool = false,
        seed: UInt64 = 1,
        besides attack: (inout AdmissionControl, _ step: Int, _ now: ContinuousClock.Instant) -> [ConnectionID]
    ) -> Int? {
        var gate = AdmissionControl(drawingFrom: SeededRandom(seed: seed).source)
        var waiting: (id: ConnectionID, until: ContinuousClock.Instant)?
        var asked: (id: ConnectionID, until: ContinuousClock.Instant)?
        for step in 0..<15_000 {
            let moment = now + .milliseconds(10) * step
            let since = step - 12_000
            if step == opening { _ = gate.openWindow(at: moment) }
            var gone = attack(&gate, step, moment)
            if hasComeBefore, since == -6_000 {
                let id = ConnectionID(2_000_000)
                gone += gate.arrive(id, from: NearbyAddress("10.9.9.9"), at: moment)
                _ = gate.greet(id, hinting: nil, opening: [], at: moment)
                if case .admitted(let evicted) = gate.join(id, at: moment) { gone += evicted }
                gone.append(id)
            }
            if since >= 0, since.isMultiple(of: 500), waiting == nil {
                let id = ConnectionID(UInt64(1_000_000 + since))
                gone += gate.arrive(id, from: NearbyAddress("10.9.9.9"), at: moment)
                waiting = (id, moment + .milliseconds(200))
            }
            if let held = waiting, moment + .milliseconds(170) == held.until {
                if case .refused = gate.greet(held.id, hinting: nil, opening: [], at: moment) { gone.append(held.id) }
            }
            if let held = waiting, moment == held.until {
                switch gate.join(held.id, at: moment) {
                case .admitted(let evicted): gone += evicted
                case .refused, .replayed: gone.append(held.id)
                }
            }
            if let over = asked, over.until <= moment {
                _ = gate.refuse(over.id, isNo: false, at: moment)
                gone.append(over.id)
            }
            for other in gone { gate.leave(other, at: moment) }
            while let head = gate.head, asked?.id != head {
                if gate.prompt(head, at: moment) == nil {
                    if head == waiting?.id { return since / 100 }
                    asked = (head, moment + .seconds(3))
                } else {
                    gone.append(head)
                    gate.leave(head, at: moment)
                }
            }
            if let held = waiting, gone.contains(held.id) { waiting = nil }
        }
        return nil
    }

    /// One of fifty addresses, twenty times a second in all, completes a handshake and waits.
    private func completeHandshake(
        at gate: inout AdmissionControl,
        _ step: Int,
        _ now: ContinuousClock.Instant
    ) -> [ConnectionID] {
        guard step.isMultiple(of: 5) else { return [] }
        let id = ConnectionID(UInt64(step))
        let gone = gate.arrive(id, from: address(step / 5 % 50), at: now)
        guard case .admitted = gate.greet(id, hinting: nil, opening: [], at: now),
            case .admitted(let evicted) = gate.join(id, at: now)
        else { return gone + [id] }
        return gone + evicted
    }

    @Test func `asks about a newcomer beside fifty addresses that complete handshakes and wait`() throws {
        let after = newcomer { completeHandshake(at: &$0, $1, $2) }
        #expect(try #require(after) < 30)
    }

    @Test(arguments: 1...5)
    func `asks about a screen that came a minute before beside fifty addresses that wait`(seed: UInt64) {
        let after = newcomer(hasComeBefore: true, seed: seed) { completeHandshake(at: &$0, $1, $2) }
        #expect(after == 0)
    }

    @Test func `asks about a newcomer beside fifty addresses that came before the window was opened`() throws {
        let after = newcomer(openingAt: 11_500) { completeHandshake(at: &$0, $1, $2) }
        #expect(try #require(after) <= 3, "when the person has answered the question before")
    }

    @Test func `keeps a newcomer's slot beside bursts of twenty first frames from fifty addresses`() {
        var held: [(id: ConnectionID, until: ContinuousClock.Instant)] = []
        let after = newcomer { gate, step, now in
            for over in held where over.until <= now { gate.leave(over.id, at: now) }
            held.removeAll { $0.until <= now }
            // All connect before the first of them sends its frame, and while the newcomer shakes hands.
            guard step % 100 == 10 else { return [] }
            let ids = (0..<20).map { ConnectionID(UInt64(step * 20 + $0)) }
            var gone: [ConnectionID] = []
            for (place, id) in ids.enumerated() {
                gone += gate.arrive(id, from: address((step / 100 * 20 + place) % 50), at: now)
            }
            for id in ids where !gone.contains(id) {
                if case .admitted = gate.greet(id, hinting: nil, opening: [], at: now) {
                    held.append((id, now + .seconds(5)))
                } else {
                    gone.append(id)
                }
            }
            return gone
        }
        #expect(after == 0)
    }

    @Test func `lets a newcomer in beside twenty good first frames a second from fifty addresses`() {
        var held: [(id: ConnectionID, until: ContinuousClock.Instant)] = []
        let after = newcomer { gate, step, now in
            for over in held where over.until <= now { gate.leave(over.id, at: now) }
            held.removeAll { $0.until <= now }
            guard step.isMultiple(of: 5) else { return [] }
            let id = ConnectionID(UInt64(step))
            let gone = gate.arrive(id, from: address(step / 5 % 50), at: now)
            if case .admitted = gate.greet(id, hinting: nil, opening: [], at: now) {
                // It is silent from now on, and its time ends after five seconds.
                held.append((id, now + .seconds(5)))
            } else {
                gate.leave(id, at: now)
            }
            return gone
        }
        #expect(after == 0)
    }

    @Test func `lets a newcomer in beside fifty addresses that reopen silent connections`() {
        let after = newcomer { gate, step, now in
            // A thousand connections a second.
            (0..<10).flatMap { part in
                gate.arrive(ConnectionID(UInt64(step * 10 + part)), from: address((step * 10 + part) % 50), at: now)
            }
        }
        #expect(after == 0)
    }
}
