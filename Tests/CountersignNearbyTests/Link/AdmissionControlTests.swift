import CountersignNearby
import CountersignTesting
import Testing

@Suite("The gate of an approver")
struct AdmissionControlTests {
    private let now = Fixture.instant
    private let pairing = PairingID("remembered")
    private let random = SeededRandom(seed: 1).source

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.\(number / 256).\(number % 256)") }

    private func opened() -> AdmissionControl {
        var gate = AdmissionControl(drawingFrom: random)
        #expect(gate.openWindow(at: now) == nil)
        return gate
    }

    @Test func `bounds what a thousand connections get, and still serves a remembered screen`() {
        var gate = opened()
        var admitted = 0
        var prompts = 0
        for number in 1...1_000 {
            let id = ConnectionID(UInt64(number))
            let gone = gate.arrive(id, from: address(number), at: now)
            #expect(gone.count == (number > 16 && admitted == 0 ? 1 : gone.count) && gate.handshakeCount <= 16)
            for other in gone { gate.leave(other, at: now) }
            guard case .admitted = gate.greet(id, hinting: nil, opening: [], at: now) else {
                gate.leave(id, at: now)
                continue
            }
            admitted += 1
            if gate.join(id, at: now) == .admitted(evicting: []) {
                if gate.head == id { prompts += gate.prompt(id, at: now) == nil ? 1 : 0 }
                gate.leave(gate.head ?? id, at: now)
            }
        }
        #expect(admitted == 720 && prompts <= 6)

        let paired = ConnectionID(2_000)
        _ = gate.arrive(paired, from: address(1), at: now)
        #expect(gate.greet(paired, hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        #expect(gate.join(paired, at: now) == .admitted(evicting: []))
    }

    @Test func `has sixteen places for handshakes, and the oldest gives way`() {
        var gate = opened()
        for number in 1...16 {
            #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) == [])
        }
        #expect(gate.arrive(ConnectionID(17), from: address(17), at: now) == [ConnectionID(1)])
        #expect(gate.handshakeCount == 16)
    }

    @Test func `has four of them for one address`() {
        var gate = opened()
        for number in 1...4 { #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(1), at: now) == []) }
        #expect(gate.arrive(ConnectionID(5), from: address(1), at: now) == [ConnectionID(1)])
        #expect(gate.arrive(ConnectionID(6), from: address(2), at: now) == [])
    }

    @Test func `is busy with screens that are remembered or have joined the line, not with mere connections`() {
        var gate = opened()
        let (silent, stranger, paired) = (ConnectionID(1), ConnectionID(2), ConnectionID(3))
        _ = gate.arrive(silent, from: address(1), at: now)
        _ = gate.arrive(stranger, from: address(2), at: now)
        #expect(gate.greet(stranger, hinting: nil, opening: [], at: now) == .admitted(evicting: []))
        #expect(!gate.isBusy)
        #expect(gate.join(stranger, at: now) == .admitted(evicting: []) && gate.isBusy)
        // The person has answered, and the grant is being sent.
        gate.step(outOfLine: stranger)
        #expect(gate.isBusy)
        gate.leave(stranger, at: now)
        #expect(!gate.isBusy)

        _ = gate.arrive(paired, from: address(3), at: now)
        #expect(gate.greet(paired, hinting: pairing, opening: [1], at: now) == .admitted(evicting: []) && gate.isBusy)
        let recording = ConnectionID(4)
        _ = gate.arrive(recording, from: address(1), at: now)
        gate.leave(paired, at: now)
        #expect(gate.greet(recording, hinting: pairing, opening: [1], at: now) == .replayed && !gate.isBusy)
    }

    @Test func `has eight places of their own for those who hint`() {
        var gate = opened()
        for number in 1...16 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        for number in 1...8 {
            #expect(
                gate.greet(ConnectionID(UInt64(number)), hinting: pairing, opening: [UInt8(number)], at: now)
                    == .admitted(evicting: []))
        }
        #expect(
            gate.greet(ConnectionID(9), hinting: pairing, opening: [9], at: now)
                == .admitted(evicting: [ConnectionID(1)]))
    }

    @Test func `lets an address that replays frames of remembered screens displace its own connections only`() {
        var gate = opened()
        func hint(_ number: Int, from place: Int) -> AdmissionControl.Admission {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(place), at: now)
            return gate.greet(id, hinting: pairing, opening: [UInt8(number)], at: now)
        }
        #expect(hint(1, from: 1) == .admitted(evicting: []))
        for number in 2...8 { #expect(hint(number, from: 2) == .admitted(evicting: [])) }
        for number in 9...20 {
            #expect(hint(number, from: 2) == .admitted(evicting: [ConnectionID(UInt64(number - 7))]))
        }
        #expect(hint(21, from: 3) == .admitted(evicting: [ConnectionID(14)]))
    }

    @Test func `lets an address begin ten handshakes a minute, six of them its own, and all together 720 and 30`() {
        var gate = opened()
        func begin(_ number: Int, from place: Int, at now: ContinuousClock.Instant) -> Bool {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(place), at: now)
            defer { gate.leave(id, at: now) }
            return gate.greet(id, hinting: nil, opening: [], at: now) == .admitted(evicting: [])
        }
        let first = (1...11).map { begin($0, from: 1, at: now) }
        #expect(first.count { $0 } == 10)
        let others = (0..<774).map { begin(100 + $0, from: 2 + $0 / 6, at: now) }
        #expect(others.count { $0 } == 714)
        let further = (0..<40).map { begin(1_000 + $0, from: 2 + $0, at: now) }
        #expect(further.count { $0 } == 26)
        let later = begin(2_000, from: 1, at: now + .seconds(60))
        #expect(later)
    }

    @Test func `lets a screen that asks again begin each handshake beside twenty a second from fifty addresses`() {
        var gate = opened()
        var (begun, refused) = (0, 0)
        func begin(_ number: Int, from place: NearbyAddress, at now: ContinuousClock.Instant) -> Bool {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: place, at: now)
            defer { gate.leave(id, at: now) }
            return gate.greet(id, hinting: nil, opening: [], at: now) == .admitted(evicting: [])
        }
        for step in 0..<4_800 {
            let moment = now + .milliseconds(50) * step
            _ = begin(step, from: address(step % 50), at: moment)
            guard step >= 1_200, step.isMultiple(of: 300) else { continue }
            if begin(10_000 + step, from: NearbyAddress("10.9.9.9"), at: moment) { begun += 1 } else { refused += 1 }
        }
        #expect(begun == 12 && refused == 0)
    }

    @Test func `hears no stranger while the window is closed`() {
        var gate = AdmissionControl(drawingFrom: random)
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(1), hinting: nil, opening: [], at: now) == .refused(.windowClosed))
        #expect(gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        #expect(gate.openWindow(at: now) == nil)
        #expect(gate.isWindowOpen(at: now + .seconds(599)) && !gate.isWindowOpen(at: now + .seconds(600)))
    }

    @Test func `closes the window after three misses, for five minutes`() {
        var gate = opened()
        let first = [gate.miss(at: now), gate.miss(at: now)]
        #expect(first == [false, false])
        // Opening it again forgives nothing.
        #expect(gate.openWindow(at: now) == nil)
        let third = gate.miss(at: now)
        #expect(third)
        #expect(!gate.isWindowOpen(at: now))
        #expect(gate.openWindow(at: now + .seconds(299)) == now + .seconds(300))
        #expect(gate.openWindow(at: now + .seconds(300)) == nil)
        let fourth = gate.miss(at: now + .seconds(300))
        #expect(!fourth)
    }

    /// An address connects, joins and asks; returns why it may not, if so.
    private func ask(
        _ gate: inout AdmissionControl,
        _ number: Int,
        from place: Int,
        after seconds: Int = 0
    ) -> EndReason? {
        let (id, moment) = (ConnectionID(UInt64(number)), now + .seconds(seconds))
        // The person keeps the window open.
        _ = gate.openWindow(at: moment)
        _ = gate.arrive(id, from: address(place), at: moment)
        _ = gate.join(id, at: moment)
        defer { gate.leave(id, at: moment) }
        return gate.prompt(id, at: moment)
    }

    @Test func `puts three questions of an address in ten minutes, and four in all, then one of each address`() {
        var gate = opened()
        let one = (1...4).map { ask(&gate, $0, from: 1) }
        #expect(one == [nil, nil, nil, .busy])
        let two = (5...6).map { ask(&gate, $0, from: 2) }
        #expect(two == [nil, .busy], "the person was asked about it")
        // One as a newcomer, and one as an address that the person was not asked about.
        let three = (7...9).map { ask(&gate, $0, from: $0 - 4) }
        #expect(three == [nil, nil, .busy])
        let early = ask(&gate, 10, from: 6, after: 59)
        #expect(early == .busy)
        // Two have waited before, and one of them is drawn; so one question is left for a newcomer.
        let returning = [5, 6, 5].map { ask(&gate, 10 + $0, from: $0, after: 60) }
        #expect(returning.count { $0 == nil } == 1)
        let fresh = [7, 8].map { ask(&gate, 20 + $0, from: $0, after: 60) }
        #expect(fresh == [nil, .busy])
        let later = ask(&gate, 30, from: 1, after: 600)
        #expect(later == nil)
    }

    @Test(arguments: [4, 8, 11])
    func `asks about a screen that asks again and again beside a few addresses that take each question`(count: Int) {
        var gate = opened()
        _ = (1...3).map { ask(&gate, $0, from: 1) }
        _ = ask(&gate, 4, from: 2)
        let screen = 200
        var (asked, number): (Int?, Int) = (nil, 100)
        for second in stride(from: 0, to: 600, by: 5) where asked == nil {
            // All attackers are a little faster than the screen, each time.
            for attacker in 1...count {
                number += 1
                _ = ask(&gate, number, from: attacker, after: second)
            }
            number += 1
            if ask(&gate, number, from: screen, after: second) == nil { asked = second }
        }
        #expect(asked.map { $0 <= 60 * (count - 2) } == true)
    }

    @Test func `asks about a screen though two newcomers took the questions of newcomers before it`() {
        var gate = opened()
        _ = (1...3).map { ask(&gate, $0, from: 1) }
        _ = ask(&gate, 4, from: 2)
        let fresh = [ask(&gate, 5, from: 3), ask(&gate, 6, from: 4, after: 60)]
        #expect(fresh == [nil, nil])
        let screen = ask(&gate, 7, from: 5, after: 61)
        #expect(screen == nil)
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
            if second >= 700, ask(&gate, number, from: 200, after: second) == nil { asked = second }
        }
        #expect(asked == 720, "at the next question that is free")
    }

    /// One joins the queue again and again, and leaves it before it is asked about.
    @Test(arguments: 1...20)
    func `asks about a screen though another one that was drawn never asks`(seed: UInt64) {
        var gate = AdmissionControl(drawingFrom: SeededRandom(seed: seed).source)
        _ = gate.openWindow(at: now)
        for (number, place) in [1, 1, 1, 2, 3].enumerated() { _ = ask(&gate, number, from: place) }
        var (asked, number): (Int?, Int) = (nil, 100)
        for second in stride(from: 60, to: 600, by: 5) where asked == nil {
            let (id, moment) = (ConnectionID(UInt64(number)), now + .seconds(second))
            _ = gate.openWindow(at: moment)
            _ = gate.arrive(id, from: address(11), at: moment)
            _ = gate.join(id, at: moment)
            gate.leave(id, at: moment)
            // The question of newcomers is taken by a new address each minute.
            if second.isMultiple(of: 60) { _ = ask(&gate, number + 1, from: 1_000 + second, after: second) }
            if ask(&gate, number + 2, from: 200, after: second) == nil { asked = second }
            number += 3
        }
        #expect(asked != nil)
    }

    @Test func `asks again about a screen whose code was mistyped, though the questions of all are used up`() {
        var gate = opened()
        let all = (1...4).map { ask(&gate, $0, from: $0) }
        #expect(all == [nil, nil, nil, nil])
        let screen = ConnectionID(5)
        _ = gate.arrive(screen, from: address(5), at: now)
        _ = gate.join(screen, at: now)
        let runs = (0..<4).map { _ in gate.prompt(screen, at: now) }
        #expect(runs == [nil, nil, nil, .busy])
    }

    @Test func `asks the person 24 times in ten minutes at most, however many addresses ask`() {
        var gate = opened()
        var (asked, number): ([Int], Int) = ([], 0)
        for second in stride(from: 0, to: 1_200, by: 5) {
            // A new address each minute, and others that come again and again.
            for place in [second.isMultiple(of: 60) ? 1_000 + second : 1] + Array(1...20) {
                number += 1
                if ask(&gate, number, from: place, after: second) == nil { asked.append(second) }
            }
        }
        let most = (0...600).map { first in asked.count { (first..<(first + 600)).contains($0) } }.max()
        #expect(most == 24)
    }

    @Test func `gives a newcomer the place of an address that has waited before, and serves it earlier`() {
        var gate = opened()
        for number in 1...5 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
            #expect(gate.join(ConnectionID(UInt64(number)), at: now) == .admitted(evicting: []))
        }
        for number in 2...5 { gate.leave(ConnectionID(UInt64(number)), at: now) }
        for number in 12...15 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number - 10), at: now)
            #expect(gate.join(ConnectionID(UInt64(number)), at: now) == .admitted(evicting: []))
        }
        _ = gate.arrive(ConnectionID(20), from: address(20), at: now)
        let joined = gate.join(ConnectionID(20), at: now)
        #expect(joined == .admitted(evicting: [ConnectionID(15)]))
        #expect(gate.places == [20, 12, 13, 14].map { ConnectionID($0) })
        _ = gate.arrive(ConnectionID(21), from: address(20), at: now)
        #expect(gate.join(ConnectionID(21), at: now) == .refused(.busy))
        // Ten minutes later it is a newcomer again.
        let later = now + .seconds(599)
        _ = gate.openWindow(at: later)
        _ = gate.arrive(ConnectionID(22), from: address(20), at: now + .seconds(600))
        #expect(gate.join(ConnectionID(22), at: now + .seconds(600)) == .admitted(evicting: [ConnectionID(14)]))
    }

    @Test func `silences an address for ten minutes after not now`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        #expect(gate.prompt(ConnectionID(1), at: now) == nil)
        #expect(gate.refuse(ConnectionID(1), isNo: false, at: now) == nil)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(599)) == .notNow)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(600)) == nil)
    }

    @Test func `lets a pairing ask five times an hour, and suggests to forget it after three refusals`() {
        var gate = AdmissionControl(drawingFrom: random)
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        _ = gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now)
        let asked = (1...6).map { _ in gate.prompt(ConnectionID(1), at: now) }
        #expect(asked == [nil, nil, nil, nil, nil, .busy])
        let suggested = (1...3).map { _ in gate.refuse(ConnectionID(1), isNo: true, at: now) }
        #expect(suggested == [nil, nil, pairing])
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(1)) == .notNow)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(3_600)) == nil)
    }

    @Test func `lets four wait, remembered screens before strangers`() {
        var gate = opened()
        for number in 1...6 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now) }
        let joined = (1...6).map { gate.join(ConnectionID(UInt64($0)), at: now) }
        #expect(joined.prefix(5).allSatisfy { $0 == .admitted(evicting: []) } && joined.last == .refused(.busy))
        _ = gate.arrive(ConnectionID(7), from: address(7), at: now)
        _ = gate.greet(ConnectionID(7), hinting: pairing, opening: [1], at: now)
        #expect(gate.join(ConnectionID(7), at: now) == .admitted(evicting: []))
        #expect(gate.head == ConnectionID(1) && gate.places.first == ConnectionID(7))
        gate.leave(ConnectionID(1), at: now)
        #expect(gate.head == ConnectionID(7) && gate.places == [2, 3, 4, 5].map { ConnectionID($0) })
    }

    @Test func `lets a hasty address wait behind all others, and ask further questions only once it is slower`() {
        var gate = opened()
        func ask(_ number: Int, from place: Int, after seconds: Int = 0) -> EndReason? {
            let (id, moment) = (ConnectionID(UInt64(number)), now + .seconds(seconds))
            _ = gate.arrive(id, from: address(place), at: moment)
            _ = gate.greet(id, hinting: nil, opening: [], at: moment)
            _ = gate.join(id, at: moment)
            defer { gate.leave(id, at: moment) }
            return gate.prompt(id, at: moment)
        }
        for number in 1...4 { #expect(ask(number, from: number) == nil) }
        for number in 11...21 {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(9), at: now)
            _ = gate.greet(id, hinting: nil, opening: [], at: now)
            gate.leave(id, at: now)
        }
        let hasty = ask(22, from: 9)
        #expect(hasty == .busy)
        let slower = ask(23, from: 9, after: 60)
        #expect(slower == nil)

        // The queue.
        for number in 31...41 {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(10), at: now + .seconds(61))
            _ = gate.greet(id, hinting: nil, opening: [], at: now + .seconds(61))
            gate.leave(id, at: now + .seconds(61))
        }
        let joined = [1, 10, 2, 3, 4, 9].enumerated().map { number, place in
            let id = ConnectionID(UInt64(50 + number))
            _ = gate.arrive(id, from: address(place), at: now + .seconds(61))
            return gate.join(id, at: now + .seconds(61))
        }
        #expect(joined.dropLast().allSatisfy { $0 == .admitted(evicting: []) })
        #expect(joined.last == .admitted(evicting: [ConnectionID(51)]))
        #expect(gate.places == [52, 53, 54, 55].map { ConnectionID($0) })
    }

    @Test func `counts an address of version 4 as one, in a cloak of version 6 too`() {
        #expect(NearbyAddress("::ffff:10.0.0.7") == NearbyAddress("10.0.0.7"))
        #expect(NearbyAddress("::FFFF:10.0.0.7").text == "10.0.0.7")
        #expect(NearbyAddress("fe80::1").text == "fe80::1")
    }

    @Test func `does not suspect a screen that connects again after a while`() {
        var gate = opened()
        for number in 1...20 {
            let moment = now + .seconds(20) * number
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(1), at: moment)
            gate.leave(ConnectionID(UInt64(number)), at: moment)
        }
        let moment = now + .seconds(420)
        for number in 21...24 {
            #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(1), at: moment) == [])
        }
        for number in 31...42 {
            #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: moment) == [])
        }
    }

    @Test func `gives no place to a recording of a remembered screen's first frame`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(1), hinting: pairing, opening: [1], at: now) == .admitted(evicting: []))
        gate.leave(ConnectionID(1), at: now)
        // The screen comes again, with a new key, and the recording is sent many times while it shakes hands.
        _ = gate.arrive(ConnectionID(2), from: address(1), at: now)
        #expect(gate.greet(ConnectionID(2), hinting: pairing, opening: [2], at: now) == .admitted(evicting: []))
        for number in 3...50 {
            _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number), at: now)
            for key: UInt8 in [1, 2] {
                let answer = gate.greet(ConnectionID(UInt64(number)), hinting: pairing, opening: [key], at: now)
                #expect(answer == .replayed)
            }
            gate.leave(ConnectionID(UInt64(number)), at: now)
        }
        #expect(gate.join(ConnectionID(2), at: now) == .admitted(evicting: []) && gate.head == ConnectionID(2))
    }
}
