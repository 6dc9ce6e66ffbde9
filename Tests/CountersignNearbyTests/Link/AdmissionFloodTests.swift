import CountersignTesting
import Testing

@testable import CountersignNearby

/// A screen comes after some seconds of an attack; its handshake takes a fifth of a second. The person says "not now"
/// to all others, each after three seconds.
@Suite("The gate of an approver beside hundreds of hostile connections a second from fifty addresses")
struct AdmissionFloodTests {
    private let now = Fixture.instant

    /// The behaviour of the hostile connections.
    enum Attack: CaseIterable {
        /// They send nothing.
        case silent
        /// They shake hands, and are silent from then on.
        case firstFrames
        /// They shake hands, ask, and wait.
        case questions
    }

    /// The screen that comes.
    private enum Screen {
        /// A stranger that was never there.
        case newcomer
        /// A stranger that waited a second before the others came, and left.
        case returning
        /// A paired one.
        case paired
    }

    /// The result of a run: after how long the screen was in the line, and the person was asked about it.
    private struct Outcome {
        var linked: Duration?
        var asked: Duration?
    }

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.\(number / 256).\(number % 256)") }

    /// The outcome of a run in steps of ten milliseconds.
    ///
    /// - Parameters:
    ///   - screen: Which screen comes.
    ///   - seed: The seed of the attackers' addresses; the screen comes a tenth of a second later for each.
    ///   - attack: The behaviour of the hostile connections.
    ///   - arrivals: The count of connections that begin in a step.
    ///   - opening: The step when the person opens the window.
    ///   - start: The step after which the screen comes.
    private func outcome(
        of screen: Screen,
        seed: UInt64,
        beside attack: Attack,
        arrivals: (_ step: Int) -> Int = { _ in 3 },
        openingAt opening: Int = 0,
        after start: Int = 450
    ) -> Outcome {
        let (random, own, id) = (SeededRandom(seed: seed), NearbyAddress("10.9.9.9"), ConnectionID(1_000_000))
        let comes = start + 10 * Int(seed)
        var (gate, outcome, number) = (AdmissionControl(), Outcome(), 0)
        var due: [Int: [ConnectionID]] = [:]
        var served: (id: ConnectionID, until: Int)?
        if screen == .returning {
            _ = gate.window.open(at: now - .seconds(1))
            _ = gate.arrive(ConnectionID(999_999), from: own, at: now - .seconds(1))
            _ = gate.join(ConnectionID(999_999), at: now - .seconds(1))
            gate.leave(ConnectionID(999_999))
        }
        for step in 0..<(comes + 10_000) {
            let moment = now + .milliseconds(10) * step
            if step == opening { _ = gate.window.open(at: moment) }
            var gone: [ConnectionID] = []
            for part in 0..<arrivals(step) {
                number += 1
                let other = ConnectionID(UInt64(number))
                gone += gate.arrive(other, from: address(Int(random.next() % 50)), at: moment)
                due[step + (attack == .silent ? 500 : 1 + part % 3), default: []].append(other)
            }
            for other in due.removeValue(forKey: step) ?? [] {
                let isGreeted = gate.greet(other, hinting: nil, opening: [], at: moment) == .admitted(evicting: [])
                if isGreeted, attack == .firstFrames {
                    due[step + 500, default: []].append(other)
                } else if isGreeted, attack == .questions, case .admitted(let evicted) = gate.join(other, at: moment) {
                    gone += evicted
                } else {
                    gone.append(other)
                }
            }
            if step == comes { gone += gate.arrive(id, from: own, at: moment) }
            if step == comes + 17 {
                let pairing = screen == .paired ? PairingID("paired") : nil
                if case .refused = gate.greet(id, hinting: pairing, opening: [1], at: moment) { gone.append(id) }
            }
            if step == comes + 20, case .admitted(let evicted) = gate.join(id, at: moment) {
                outcome.linked = .milliseconds(200)
                gone += evicted
            }
            if let over = served, over.until <= step {
                _ = gate.refuse(over.id, isNo: false, at: moment)
                gone.append(over.id)
                served = nil
            }
            guard !gone.contains(id) else { return Outcome() }
            for other in gone { gate.leave(other) }
            gate.advance(at: moment)
            guard let head = gate.line.head, head != served?.id else { continue }
            if head == id {
                outcome.asked = Duration.milliseconds(10) * (step - comes)
                return outcome
            }
            served = (head, step + 300)
        }
        return outcome
    }

    /// The count of runs, of twenty, that end in time.
    private func runs(
        _ screen: Screen,
        beside attack: Attack,
        within limit: Duration,
        arrivals: (_ step: Int) -> Int = { _ in 3 },
        openingAt opening: Int = 0
    ) -> Int {
        (UInt64(1)...20).count { seed in
            let outcome = outcome(of: screen, seed: seed, beside: attack, arrivals: arrivals, openingAt: opening)
            return outcome.linked == .milliseconds(200) && outcome.asked.map { $0 <= limit } ?? false
        }
    }

    @Test(arguments: Attack.allCases)
    func `has a newcomer in the line at once, and asks about it within five seconds, in 20 of 20 runs`(attack: Attack) {
        #expect(runs(.newcomer, beside: attack, within: .seconds(5)) == 20)
    }

    @Test(arguments: Attack.allCases)
    func `serves a paired screen within two seconds in 20 of 20 runs`(attack: Attack) {
        #expect(runs(.paired, beside: attack, within: .seconds(2)) == 20)
    }

    @Test func `asks about a screen that came before, in vain, beside those that wait`() {
        #expect(runs(.returning, beside: .questions, within: .seconds(5)) == 20)
    }

    @Test func `asks about a newcomer when the window was just opened, and all others came before`() {
        #expect(runs(.newcomer, beside: .questions, within: .seconds(5), openingAt: 440) == 20)
    }

    @Test(arguments: [Attack.firstFrames, .questions])
    func `keeps a newcomer's place beside bursts of three hundred at once`(attack: Attack) {
        #expect(runs(.newcomer, beside: attack, within: .seconds(5), arrivals: { $0 % 100 == 10 ? 300 : 0 }) == 20)
    }

    @Test func `lets a newcomer in beside a thousand silent connections a second`() {
        #expect(runs(.newcomer, beside: .silent, within: .seconds(5), arrivals: { _ in 10 }) == 20)
    }

    @Test(arguments: [1, 7, 13, 20])
    func `keeps a newcomer in the line beside fifty addresses that come slowly, and asks in the next window`(
        seed: UInt64
    ) throws {
        // Each comes every ten seconds, so that none of them is taken for a flood.
        let arrivals = { (step: Int) in step.isMultiple(of: 20) ? 1 : 0 }
        let outcome = outcome(of: .newcomer, seed: seed, beside: .questions, arrivals: arrivals, after: 6_000)
        #expect(outcome.linked == .milliseconds(200))
        #expect(try #require(outcome.asked) <= .seconds(41))
    }
}
