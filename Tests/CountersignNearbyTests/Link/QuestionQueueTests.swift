import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("The line of questions")
struct QuestionQueueTests {
    private let now = Fixture.instant

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.0.\(number)") }

    /// A stranger whose connection has the number of its address, if none is given.
    private func stranger(_ number: Int, from place: Int? = nil) -> QuestionQueue.Entry {
        let address = address(place ?? number)
        let asker = QuestionQueue.Asker.stranger(NearbyNetwork(address))
        return QuestionQueue.Entry(id: ConnectionID(UInt64(number)), address: address, asker: asker)
    }

    private func paired(_ number: Int, as name: String) -> QuestionQueue.Entry {
        QuestionQueue.Entry(
            id: ConnectionID(UInt64(number)), address: address(number), asker: .paired(PairingID(name)))
    }

    /// The load of networks: 1, unless it is said otherwise.
    private func load(_ loads: [Int: Int] = [:]) -> QuestionQueue.Load {
        let named = Dictionary(uniqueKeysWithValues: loads.map { (NearbyNetwork(address($0.key)), $0.value) })
        return { named[$0] ?? 1 }
    }

    private func line(_ change: (inout ListenerLimits) -> Void = { _ in }) -> QuestionQueue {
        var limits = ListenerLimits.standard
        change(&limits)
        return QuestionQueue(limits: limits)
    }

    private func ids(_ numbers: [Int]) -> [ConnectionID] { numbers.map { ConnectionID(UInt64($0)) } }

    /// Some join, and each is served and leaves in turn; returns whom the person was asked about, in order.
    private func serve(
        _ line: inout QuestionQueue,
        _ entries: [QuestionQueue.Entry],
        after seconds: Int = 0,
        loads: [Int: Int] = [:]
    ) -> [ConnectionID] {
        let (moment, load) = (now + .seconds(seconds), load(loads))
        var served: [ConnectionID] = []
        for entry in entries { _ = line.join(entry, at: moment, load: load) }
        while true {
            line.advance(at: moment, load: load)
            guard let head = line.head else { return served }
            served.append(head)
            line.leave(head)
        }
    }

    @Test func `serves paired screens first, and then the newest network`() {
        var line = line()
        let entries = [stranger(1), stranger(2), paired(3, as: "a"), stranger(4), paired(5, as: "b")]
        let served = serve(&line, entries)
        #expect(served == ids([3, 5, 4, 2, 1]))
    }

    @Test func `serves networks first about which the person was asked less, whichever came last`() {
        var line = line()
        #expect(serve(&line, [stranger(1), stranger(2)]) == ids([2, 1]))
        let served = serve(&line, [stranger(3), stranger(4), stranger(11, from: 1), stranger(12, from: 2)], after: 100)
        #expect(served == ids([4, 3, 12, 11]))
    }

    @Test func `serves those with fewer connections first, and the ones that come often last`() {
        var line = line()
        let entries = [stranger(1), stranger(2), stranger(3), stranger(4)]
        let load = load([1: 2, 2: 21, 3: 1, 4: 3])
        for entry in entries { #expect(line.join(entry, at: now, load: load) == .admitted(evicting: [])) }
        #expect(line.places(load: load) == ids([3, 1, 4, 2]))
        // One that comes often comes last even if the person was asked about the others.
        var other = self.line()
        _ = serve(&other, [stranger(1), stranger(3)])
        #expect(serve(&other, entries, after: 100, loads: [2: 21]).last != ConnectionID(2))
        #expect(other.places(load: self.load([2: 21])) == ids([2]), "the first half was put, and it waits")
    }

    @Test func `puts three questions of a network in a window, and four in all; others wait for the next window`() {
        var line = line()
        #expect(serve(&line, (1...4).map { stranger($0, from: 1) }) == ids([3, 2, 1]))
        #expect(serve(&line, [stranger(5, from: 1)], after: 1) == [])
        line.leave(ConnectionID(5))
        #expect(serve(&line, [stranger(6), stranger(7)], after: 2) == ids([7]))
        #expect(line.places(load: load()) == ids([6]))
        #expect(line.nextTurn(after: now + .seconds(2)) == now + .seconds(100))
        #expect(serve(&line, [], after: 99) == [])
        #expect(serve(&line, [], after: 100) == ids([6]))
        #expect(line.nextTurn(after: now + .seconds(100)) == nil)
    }

    @Test func `leaves the second half of a window's questions to networks that do not come often`() {
        var line = line()
        let heavy = Dictionary(uniqueKeysWithValues: (1...50).map { ($0, 21) })
        #expect(serve(&line, (1...4).map { stranger($0) }, loads: heavy) == ids([4, 3]))
        #expect(serve(&line, [stranger(60)], after: 1, loads: heavy) == ids([60]))
        #expect(serve(&line, [stranger(61)], after: 2, loads: heavy) == ids([61]))
        #expect(line.places(load: load(heavy)) == ids([2, 1]), "they are not told that the phone is busy")
        #expect(serve(&line, [], after: 102, loads: heavy) == ids([2, 1]))
    }

    @Test func `gives a stranger the last place of four, and none to a network that comes often`() {
        var line = line()
        for number in 1...4 { #expect(line.join(stranger(number), at: now, load: load()) == .admitted(evicting: [])) }
        let joined = line.join(stranger(5), at: now, load: load())
        #expect(joined == .admitted(evicting: ids([1])))
        let heavy = line.join(stranger(6), at: now, load: load([6: 21]))
        #expect(heavy == .refused(.busy))
        let displacing = line.join(stranger(7), at: now, load: load([4: 30]))
        #expect(displacing == .admitted(evicting: ids([4])))
        let later = line.join(stranger(8), at: now, load: load([8: 2]))
        #expect(later == .refused(.busy), "it has more connections than each of the others")
        #expect(line.places(load: load()) == ids([7, 5, 3, 2]))
    }

    @Test func `has three places for one network, which later ones of it do not take`() {
        var line = line()
        for number in 1...3 {
            #expect(line.join(stranger(number, from: 1), at: now, load: load()) == .admitted(evicting: []))
        }
        #expect(line.join(stranger(6, from: 1), at: now, load: load()) == .refused(.busy))
        line.advance(at: now, load: load())
        #expect(line.join(stranger(4, from: 1), at: now, load: load()) == .refused(.busy), "one is served")
        line.leave(ConnectionID(1))
        #expect(line.join(stranger(5, from: 1), at: now, load: load()) == .admitted(evicting: []))
    }

    @Test func `has places of their own for paired screens, three of each`() {
        var line = line()
        for number in 1...4 { _ = line.join(stranger(number), at: now, load: load()) }
        for (number, name) in [(11, "a"), (12, "a"), (13, "a")] {
            #expect(line.join(paired(number, as: name), at: now, load: load()) == .admitted(evicting: []))
        }
        #expect(line.join(paired(16, as: "a"), at: now, load: load()) == .refused(.busy))
        #expect(line.join(paired(14, as: "b"), at: now, load: load()) == .admitted(evicting: []))
        #expect(line.join(paired(15, as: "c"), at: now, load: load()) == .refused(.busy))
        #expect(line.places(load: load()) == ids([11, 12, 13, 14, 4, 3, 2, 1]))
    }

    @Test func `passes over one that leaves before its turn, and over one that hangs up in it`() {
        var line = line()
        for number in 1...3 { _ = line.join(stranger(number), at: now, load: load()) }
        line.leave(ConnectionID(3))
        line.advance(at: now, load: load())
        #expect(line.head == ConnectionID(2))
        line.leave(ConnectionID(2))
        line.advance(at: now, load: load())
        #expect(line.head == ConnectionID(1))
    }

    @Test func `keeps the turn of a screen whose code was mistyped, though all questions are used up`() {
        var line = line()
        #expect(serve(&line, (1...3).map { stranger($0) }).count == 3)
        _ = line.join(stranger(5), at: now, load: load())
        line.advance(at: now, load: load())
        _ = line.join(stranger(6), at: now, load: load())
        for _ in 1...3 {
            #expect(line.join(stranger(5), at: now, load: load()) == .admitted(evicting: []))
            line.advance(at: now, load: load())
            #expect(line.head == ConnectionID(5))
        }
        #expect(line.places(load: load()) == ids([6]))
    }

    @Test func `mutes an address for ten minutes after not now, and no other address of its network`() {
        var line = line()
        func home(_ number: Int) -> QuestionQueue.Entry {
            let address = NearbyAddress("fe80::\(number)")
            let asker = QuestionQueue.Asker.stranger(NearbyNetwork(address))
            return QuestionQueue.Entry(id: ConnectionID(UInt64(number)), address: address, asker: asker)
        }
        #expect(line.refuse(home(1), at: now) == nil)
        #expect(line.join(home(1), at: now + .seconds(599), load: load()) == .refused(.notNow))
        #expect(line.join(home(2), at: now, load: load()) == .admitted(evicting: []))
        #expect(line.join(home(1), at: now + .seconds(600), load: load()) == .admitted(evicting: []))
    }

    @Test func `does not put a question that waits when its address is muted meanwhile`() {
        var line = line()
        for number in 1...2 { _ = line.join(stranger(number, from: 1), at: now, load: load()) }
        line.advance(at: now, load: load())
        #expect(line.head == ConnectionID(2))
        _ = line.refuse(stranger(2, from: 1), at: now)
        line.leave(ConnectionID(2))
        line.advance(at: now, load: load())
        #expect(line.head == nil && line.places(load: load()) == ids([1]))
    }

    @Test func `lets a paired screen ask five times an hour, and suggests to forget it after three refusals`() {
        var line = line()
        let asked = (1...6).map { serve(&line, [paired($0, as: "a")]).count }
        #expect(asked == [1, 1, 1, 1, 1, 0])
        #expect(serve(&line, [paired(7, as: "b")]) == ids([7]), "another one is not delayed by that")
        #expect(serve(&line, [], after: 3_600) == ids([6]))
        let screen = paired(8, as: "c")
        let suggested = (1...3).map { _ in line.refuse(screen, at: now) }
        #expect(suggested == [nil, nil, PairingID("c")])
        #expect(line.join(screen, at: now + .seconds(1), load: load()) == .refused(.notNow))
        line.approve(screen.asker)
        let again = line.refuse(screen, at: now)
        #expect(again == nil)
    }

    @Test func `asks as often as the limits say`() {
        var one = line { $0.questions = 1 }
        #expect(serve(&one, [stranger(1)]) == ids([1]))
        #expect(serve(&one, [stranger(2)], after: 99) == [])
        var none = line { $0.questions = 0 }
        #expect(none.join(stranger(1), at: now, load: load()) == .refused(.busy))
        var short = line { $0.window = .seconds(10) }
        #expect(serve(&short, (1...4).map { stranger($0) }).count == 4)
        #expect(serve(&short, [stranger(5)], after: 10) == ids([5]))
    }
}
