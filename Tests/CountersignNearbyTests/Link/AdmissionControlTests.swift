import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("The gate of an approver")
struct AdmissionControlTests {
    private let now = Fixture.instant
    private let pairing = PairingID("paired")

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.\(number / 256).\(number % 256)") }

    private func opened() -> AdmissionControl {
        var gate = AdmissionControl()
        #expect(gate.window.open(at: now) == nil)
        return gate
    }

    private func ids(_ numbers: [Int]) -> [ConnectionID] { numbers.map { ConnectionID(UInt64($0)) } }

    @Test func `bounds what a thousand connections get, and still serves a paired screen`() {
        var gate = opened()
        var prompts = 0
        for number in 1...1_000 {
            let id = ConnectionID(UInt64(number))
            let gone = gate.arrive(id, from: address(number), at: now)
            #expect(gate.connectionCount <= 64)
            for other in gone { gate.leave(other) }
            guard gate.greet(id, hinting: nil, opening: [], at: now) == .admitted(evicting: []) else {
                gate.leave(id)
                continue
            }
            guard case .admitted(let evicted) = gate.join(id, at: now) else { continue }
            for other in evicted { gate.leave(other) }
            gate.advance(at: now)
            guard let head = gate.line.head else { continue }
            prompts += 1
            gate.leave(head)
        }
        #expect(prompts == 4 && gate.places(at: now).count == 4)

        let paired = ConnectionID(2_000)
        _ = gate.arrive(paired, from: address(1), at: now)
        #expect(gate.greet(paired, hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        #expect(gate.join(paired, at: now) == .admitted(evicting: []))
        gate.advance(at: now)
        #expect(gate.line.head == paired)
    }

    @Test func `has 48 places for strangers, and the oldest gives way`() {
        var gate = opened()
        for number in 1...48 {
            #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) == [])
        }
        #expect(gate.arrive(ConnectionID(49), from: address(49), at: now) == [ConnectionID(1)])
        #expect(gate.connectionCount == 48)
    }

    @Test func `gives one address what no other wants, and then takes it back`() {
        var gate = opened()
        for number in 1...48 { #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(1), at: now) == []) }
        #expect(gate.arrive(ConnectionID(49), from: address(1), at: now) == [ConnectionID(1)])
        for number in 50...60 {
            #expect(
                gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
                    == [ConnectionID(UInt64(number - 48))])
        }
    }

    @Test func `counts all addresses of a network of version 6 as one`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        for number in 2...200 {
            let from = NearbyAddress("2001:db8::\(String(number, radix: 16))")
            #expect(!gate.arrive(ConnectionID(UInt64(number)), from: from, at: now).contains(ConnectionID(1)))
        }
    }

    @Test func `is busy with screens that are paired or have joined the line, not with mere connections`() {
        var gate = opened()
        let (silent, stranger, paired) = (ConnectionID(1), ConnectionID(2), ConnectionID(3))
        _ = gate.arrive(silent, from: address(1), at: now)
        _ = gate.arrive(stranger, from: address(2), at: now)
        #expect(gate.greet(stranger, hinting: nil, opening: [], at: now) == .admitted(evicting: []))
        #expect(!gate.isBusy)
        #expect(gate.join(stranger, at: now) == .admitted(evicting: []))
        #expect(gate.isBusy)
        // The person has answered, and the grant is being sent.
        gate.step(outOfLine: stranger)
        #expect(gate.isBusy)
        gate.leave(stranger)
        #expect(!gate.isBusy)

        _ = gate.arrive(paired, from: address(3), at: now)
        #expect(gate.greet(paired, hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        #expect(gate.isBusy)
        let recording = ConnectionID(4)
        _ = gate.arrive(recording, from: address(1), at: now)
        gate.leave(paired)
        #expect(gate.greet(recording, hinting: pairing, opening: [1], at: now) == .replayed)
        #expect(!gate.isBusy)
    }

    @Test func `has sixteen places of their own for those who hint`() {
        var gate = opened()
        for number in 1...48 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        for number in 1...16 {
            #expect(
                gate.greet(ConnectionID(UInt64(number)), hinting: pairing, opening: [UInt8(number)], at: now)
                    == .admitted(evicting: []))
        }
        #expect(
            gate.greet(ConnectionID(17), hinting: pairing, opening: [17], at: now)
                == .admitted(evicting: [ConnectionID(1)]))
    }

    @Test func `lets an address that replays frames of paired screens displace its own connections only`() {
        var gate = opened()
        func hint(_ number: Int, from place: Int) -> AdmissionControl.Admission {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(place), at: now)
            return gate.greet(id, hinting: pairing, opening: [UInt8(number)], at: now)
        }
        #expect(hint(1, from: 1) == .admitted(evicting: []))
        for number in 2...16 { #expect(hint(number, from: 2) == .admitted(evicting: [])) }
        for number in 17...28 {
            #expect(hint(number, from: 2) == .admitted(evicting: [ConnectionID(UInt64(number - 15))]))
        }
        #expect(hint(29, from: 3) == .admitted(evicting: [ConnectionID(14)]))
    }

    @Test func `has the reserved places for addresses too where the person approved a screen`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        gate.approve(ConnectionID(1))
        gate.leave(ConnectionID(1))
        for number in 2...49 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        #expect(gate.arrive(ConnectionID(50), from: address(1), at: now) == [], "strangers have the other 48")
        for number in 51...200 {
            #expect(
                !gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
                    .contains(ConnectionID(50)))
        }
        #expect(gate.greet(ConnectionID(50), hinting: nil, opening: [], at: now) == .admitted(evicting: []))
    }

    @Test func `lets a screen that asks again begin each handshake beside twenty a second from fifty addresses`() {
        var gate = opened()
        var (begun, refused) = (0, 0)
        func begin(_ number: Int, from place: NearbyAddress, at moment: ContinuousClock.Instant) -> Bool {
            let id = ConnectionID(UInt64(number))
            _ = gate.window.open(at: moment)
            for other in gate.arrive(id, from: place, at: moment) { gate.leave(other) }
            return gate.greet(id, hinting: nil, opening: [], at: moment) == .admitted(evicting: [])
        }
        for step in 0..<4_800 {
            let moment = now + .milliseconds(50) * step
            // The places in the line are taken by those that do nothing else.
            if begin(step, from: address(step % 50), at: moment),
                case .admitted(let evicted) = gate.join(ConnectionID(UInt64(step)), at: moment)
            {
                for other in evicted { gate.leave(other) }
            } else {
                gate.leave(ConnectionID(UInt64(step)))
            }
            guard step >= 1_200, step.isMultiple(of: 300) else { continue }
            if begin(10_000 + step, from: NearbyAddress("10.9.9.9"), at: moment) { begun += 1 } else { refused += 1 }
            gate.leave(ConnectionID(UInt64(10_000 + step)))
        }
        #expect(begun == 12 && refused == 0)
    }

    @Test func `hears no stranger while the window is closed`() {
        var gate = AdmissionControl()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(1), hinting: nil, opening: [], at: now) == .refused(.windowClosed))
        #expect(gate.join(ConnectionID(1), at: now) == .refused(.windowClosed))
        #expect(gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        #expect(gate.window.open(at: now) == nil)
        #expect(gate.window.isOpen(at: now + .seconds(599)) && !gate.window.isOpen(at: now + .seconds(600)))
    }

    @Test func `closes the window after three misses, for five minutes`() {
        var gate = opened()
        let first = [gate.window.miss(at: now), gate.window.miss(at: now)]
        #expect(first == [false, false])
        // Opening it again forgives nothing.
        #expect(gate.window.open(at: now) == nil)
        let third = gate.window.miss(at: now)
        #expect(third)
        #expect(!gate.window.isOpen(at: now))
        #expect(gate.window.open(at: now + .seconds(299)) == now + .seconds(300))
        #expect(gate.window.open(at: now + .seconds(300)) == nil)
        let fourth = gate.window.miss(at: now + .seconds(300))
        #expect(!fourth)
    }

    @Test func `lets those go that are strangers when the window closes, and keeps the others`() {
        var gate = opened()
        for number in 1...3 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        _ = gate.greet(ConnectionID(2), hinting: pairing, opening: [1], at: now)
        gate.trust(ConnectionID(3))
        #expect(gate.strangers == [ConnectionID(1)])
    }

    /// An address connects, joins and leaves; returns whether the person was asked about it.
    private func ask(
        _ gate: inout AdmissionControl,
        _ number: Int,
        from place: Int,
        after seconds: Int = 0
    ) -> Bool {
        let (id, moment) = (ConnectionID(UInt64(number)), now + .seconds(seconds))
        // The person keeps the window open.
        _ = gate.window.open(at: moment)
        for other in gate.arrive(id, from: address(place), at: moment) { gate.leave(other) }
        _ = gate.join(id, at: moment)
        gate.advance(at: moment)
        defer { gate.leave(id) }
        return gate.line.head == id
    }

    @Test func `asks three times about an address in a window, and four times in all`() {
        var gate = opened()
        let one = (1...4).map { ask(&gate, $0, from: 1) }
        #expect(one == [true, true, true, false])
        let two = (5...6).map { ask(&gate, $0, from: 2) }
        #expect(two == [true, false])
        let three = [ask(&gate, 7, from: 3), ask(&gate, 8, from: 3, after: 99)]
        #expect(three == [false, false])
        let later = [ask(&gate, 9, from: 3, after: 100), ask(&gate, 10, from: 1, after: 100)]
        #expect(later == [true, true])
    }

    @Test(arguments: [4, 8, 11])
    func `asks about a screen that waits beside a few addresses that take each question`(count: Int) {
        var gate = opened()
        let screen = ConnectionID(1_000_000)
        var (asked, number): (Int?, Int) = (nil, 0)
        for second in stride(from: 0, to: 600, by: 5) where asked == nil {
            // All attackers are a little faster than the screen, each time.
            for attacker in 1...count {
                number += 1
                _ = ask(&gate, number, from: attacker, after: second)
                if gate.line.head == screen { asked = second }
            }
            guard second == 0 else { continue }
            _ = gate.arrive(screen, from: address(200), at: now)
            #expect(gate.join(screen, at: now) == .admitted(evicting: []))
        }
        #expect(asked == 100, "at the next question that is free")
    }

    /// A screen that comes after the others each time, and whose first question was taken by a new address.
    @Test func `asks about a screen though fifteen addresses come first for as long as they go on`() {
        var gate = opened()
        var (asked, number): (Int?, Int) = (nil, 0)
        for second in stride(from: 0, through: 1_500, by: 5) where asked == nil {
            for attacker in 1...15 {
                number += 1
                _ = ask(&gate, number, from: attacker, after: second)
            }
            number += 1
            if second == 695 { _ = ask(&gate, number, from: 50, after: second) }
            if second >= 700, ask(&gate, number, from: 200, after: second) { asked = second }
        }
        #expect(asked == 700)
    }

    @Test func `asks about a screen though another one takes its turns and hangs up`() {
        var gate = opened()
        for second in stride(from: 0, to: 60, by: 5) { _ = ask(&gate, second, from: 11, after: second) }
        let screen = ask(&gate, 100, from: 200, after: 60)
        #expect(screen)
    }

    @Test func `asks the person 24 times in ten minutes at most, however many addresses ask`() {
        var gate = opened()
        var (asked, number): ([Int], Int) = ([], 0)
        for second in stride(from: 0, to: 1_200, by: 5) {
            // A new address each time, and others that come again and again.
            for place in [1_000 + second] + Array(1...20) {
                number += 1
                if ask(&gate, number, from: place, after: second) { asked.append(second) }
            }
        }
        let most = (0...600).map { first in asked.count { (first..<(first + 600)).contains($0) } }.max()
        #expect(most == 24)
    }

    @Test func `mutes the address of a stranger after not now, and not after no`() {
        var gate = opened()
        for number in 1...2 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        #expect(gate.refuse(ConnectionID(1), isNo: true, at: now) == nil)
        #expect(gate.join(ConnectionID(1), at: now) == .admitted(evicting: []))
        #expect(gate.refuse(ConnectionID(2), isNo: false, at: now) == nil)
        #expect(gate.join(ConnectionID(2), at: now) == .refused(.notNow))
    }

    @Test func `suggests to forget a pairing after three refusals in a row`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        _ = gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now)
        let suggested = (1...3).map { _ in gate.refuse(ConnectionID(1), isNo: true, at: now) }
        #expect(suggested == [nil, nil, pairing])
        #expect(gate.join(ConnectionID(1), at: now + .seconds(1)) == .refused(.notNow))
        #expect(gate.join(ConnectionID(1), at: now + .seconds(600)) == .admitted(evicting: []))
    }

    @Test func `lets four wait, paired screens before strangers`() {
        var gate = opened()
        for number in 1...6 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        #expect(gate.join(ConnectionID(1), at: now) == .admitted(evicting: []))
        gate.advance(at: now)
        for number in 2...5 { #expect(gate.join(ConnectionID(UInt64(number)), at: now) == .admitted(evicting: [])) }
        #expect(gate.join(ConnectionID(6), at: now) == .admitted(evicting: [ConnectionID(2)]))
        _ = gate.arrive(ConnectionID(7), from: address(7), at: now)
        _ = gate.greet(ConnectionID(7), hinting: pairing, opening: [1], at: now)
        #expect(gate.join(ConnectionID(7), at: now) == .admitted(evicting: []))
        #expect(gate.line.head == ConnectionID(1) && gate.places(at: now) == ids([7, 6, 5, 4, 3]))
        gate.leave(ConnectionID(1))
        gate.advance(at: now)
        #expect(gate.line.head == ConnectionID(7) && gate.places(at: now) == ids([6, 5, 4, 3]))
    }

    @Test func `lets nothing happen on a connection that gave way`() {
        var gate = opened()
        for number in 1...49 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        #expect(gate.greet(ConnectionID(1), hinting: nil, opening: [], at: now) == .refused(.busy))
        #expect(gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now) == .refused(.busy))
        #expect(gate.join(ConnectionID(1), at: now) == .refused(.busy))
    }

    @Test func `closes no connection that waits or is served for one that has only connected`() {
        var gate = opened()
        for number in 1...3 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
            #expect(gate.join(ConnectionID(UInt64(number)), at: now) == .admitted(evicting: []))
        }
        gate.advance(at: now)
        for number in 10...500 {
            let gone = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
            #expect(!gone.contains { $0 == ConnectionID(1) || $0 == ConnectionID(2) || $0 == ConnectionID(3) })
        }
        #expect(gate.connectionCount == 48)
    }

    @Test func `does not take a screen that connects again after a while for a flood`() {
        var gate = opened()
        for number in 1...20 { _ = ask(&gate, number, from: 1, after: 20 * number) }
        // Two others have put the first half of the questions.
        let others = [ask(&gate, 31, from: 2, after: 520), ask(&gate, 32, from: 3, after: 520)]
        #expect(others == [true, true])
        for number in 40...60 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(4), at: now + .seconds(520))
            gate.leave(ConnectionID(UInt64(number)))
        }
        let flood = ask(&gate, 69, from: 4, after: 521)
        #expect(!flood)
        let screen = ask(&gate, 70, from: 1, after: 521)
        #expect(screen)
    }

    @Test func `gives no place to a recording of a paired screen's first frame`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        gate.leave(ConnectionID(1))
        // The screen comes again, with a new key, and the recording is sent many times while it shakes hands.
        _ = gate.arrive(ConnectionID(2), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(2), hinting: pairing, opening: [2], at: now) == .admitted(evicting: []))
        for number in 3...50 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
            for key: UInt8 in [1, 2] {
                let answer = gate.greet(ConnectionID(UInt64(number)), hinting: pairing, opening: [key], at: now)
                #expect(answer == .replayed)
            }
            gate.leave(ConnectionID(UInt64(number)))
        }
        #expect(gate.join(ConnectionID(2), at: now) == .admitted(evicting: []))
        gate.advance(at: now)
        #expect(gate.line.head == ConnectionID(2))
    }
}
