import CountersignNearby
import Testing

@Suite("The gate of an approver")
struct AdmissionControlTests {
    private let now = Fixture.instant
    private let pairing = PairingID("remembered")

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.\(number / 256).\(number % 256)") }

    private func opened() -> AdmissionControl {
        var gate = AdmissionControl()
        #expect(gate.openWindow(at: now) == nil)
        return gate
    }

    @Test func `bounds what a thousand connections get, and still serves a remembered screen`() {
        var gate = opened()
        var admitted = 0
        var prompts = 0
        for number in 1...1_000 {
            let id = ConnectionID(UInt64(number))
            let gone = gate.arrive(id, from: address(number))
            #expect(gone.count == (number > 16 && admitted == 0 ? 1 : gone.count) && gate.handshakeCount <= 16)
            for other in gone { gate.leave(other) }
            guard case .admitted = gate.greet(id, hinting: nil, at: now) else {
                gate.leave(id)
                continue
            }
            admitted += 1
            if gate.join(id, at: now) == nil {
                if gate.head == id { prompts += gate.prompt(id, at: now) == nil ? 1 : 0 }
                gate.leave(gate.head ?? id)
            }
        }
        #expect(admitted == 30 && prompts <= 6)

        let paired = ConnectionID(2_000)
        _ = gate.arrive(paired, from: address(1))
        #expect(gate.greet(paired, hinting: pairing, at: now) == .admitted(evicting: []))
        #expect(gate.join(paired, at: now) == nil)
    }

    @Test func `has sixteen places for handshakes, and the oldest gives way`() {
        var gate = opened()
        for number in 1...16 { #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(number)) == []) }
        #expect(gate.arrive(ConnectionID(17), from: address(17)) == [ConnectionID(1)])
        #expect(gate.handshakeCount == 16)
    }

    @Test func `has four of them for one address`() {
        var gate = opened()
        for number in 1...4 { #expect(gate.arrive(ConnectionID(UInt64(number)), from: address(1)) == []) }
        #expect(gate.arrive(ConnectionID(5), from: address(1)) == [ConnectionID(1)])
        #expect(gate.arrive(ConnectionID(6), from: address(2)) == [])
    }

    @Test func `has eight places of their own for those who hint`() {
        var gate = opened()
        for number in 1...16 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number)) }
        for number in 1...8 {
            #expect(
                gate.greet(ConnectionID(UInt64(number)), hinting: pairing, at: now) == .admitted(evicting: []))
        }
        #expect(gate.greet(ConnectionID(9), hinting: pairing, at: now) == .admitted(evicting: [ConnectionID(1)]))
    }

    @Test func `lets an address begin ten handshakes a minute, and all of them thirty`() {
        var gate = opened()
        func begin(_ number: Int, from place: Int, at now: ContinuousClock.Instant) -> Bool {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(place))
            defer { gate.leave(id) }
            return gate.greet(id, hinting: nil, at: now) == .admitted(evicting: [])
        }
        let first = (1...11).map { begin($0, from: 1, at: now) }
        #expect(first.count { $0 } == 10)
        let others = (0..<40).map { begin(100 + $0, from: 2 + $0, at: now) }
        #expect(others.count { $0 } == 20)
        let later = begin(500, from: 1, at: now + .seconds(60))
        #expect(later)
    }

    @Test func `hears no stranger while the window is closed`() {
        var gate = AdmissionControl()
        _ = gate.arrive(ConnectionID(1), from: address(1))
        #expect(gate.greet(ConnectionID(1), hinting: nil, at: now) == .refused(.windowClosed))
        #expect(gate.greet(ConnectionID(1), hinting: pairing, at: now) == .admitted(evicting: []))
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

    @Test func `puts three questions of an address in ten minutes, and six in all`() {
        var gate = opened()
        func ask(_ number: Int, from place: Int, at now: ContinuousClock.Instant) -> EndReason? {
            let id = ConnectionID(UInt64(number))
            _ = gate.arrive(id, from: address(place))
            defer { gate.leave(id) }
            return gate.prompt(id, at: now)
        }
        let one = (1...4).map { ask($0, from: 1, at: now) }
        #expect(one == [nil, nil, nil, .busy])
        let two = (5...8).map { ask($0, from: 2, at: now) }
        #expect(two == [nil, nil, nil, .busy])
        let three = ask(9, from: 3, at: now)
        #expect(three == .busy)
        let later = ask(10, from: 1, at: now + .seconds(600))
        #expect(later == nil)
    }

    @Test func `silences an address for ten minutes after not now`() {
        var gate = opened()
        _ = gate.arrive(ConnectionID(1), from: address(1))
        #expect(gate.prompt(ConnectionID(1), at: now) == nil)
        #expect(gate.refuse(ConnectionID(1), isNo: false, at: now) == nil)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(599)) == .notNow)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(600)) == nil)
    }

    @Test func `lets a pairing ask five times an hour, and suggests to forget it after three refusals`() {
        var gate = AdmissionControl()
        _ = gate.arrive(ConnectionID(1), from: address(1))
        _ = gate.greet(ConnectionID(1), hinting: pairing, at: now)
        let asked = (1...6).map { _ in gate.prompt(ConnectionID(1), at: now) }
        #expect(asked == [nil, nil, nil, nil, nil, .busy])
        let suggested = (1...3).map { _ in gate.refuse(ConnectionID(1), isNo: true, at: now) }
        #expect(suggested == [nil, nil, pairing])
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(1)) == .notNow)
        #expect(gate.prompt(ConnectionID(1), at: now + .seconds(3_600)) == nil)
    }

    @Test func `lets four wait, remembered screens before strangers`() {
        var gate = opened()
        for number in 1...6 { _ = gate.arrive(ConnectionID(UInt64(number)), from: address(number)) }
        let joined = (1...6).map { gate.join(ConnectionID(UInt64($0)), at: now) }
        #expect(joined == [nil, nil, nil, nil, nil, .busy])
        _ = gate.arrive(ConnectionID(7), from: address(7))
        _ = gate.greet(ConnectionID(7), hinting: pairing, at: now)
        #expect(gate.join(ConnectionID(7), at: now) == nil)
        #expect(gate.head == ConnectionID(1) && gate.places.first == ConnectionID(7))
        gate.leave(ConnectionID(1))
        #expect(gate.head == ConnectionID(7) && gate.places == [2, 3, 4, 5].map { ConnectionID($0) })
    }

    @Test func `counts an address of version 4 as one, in a cloak of version 6 too`() {
        #expect(NearbyAddress("::ffff:10.0.0.7") == NearbyAddress("10.0.0.7"))
        #expect(NearbyAddress("::FFFF:10.0.0.7").text == "10.0.0.7")
        #expect(NearbyAddress("fe80::1").text == "fe80::1")
    }
}
