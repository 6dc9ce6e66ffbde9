import Countersign
import CountersignTesting
import Testing

@testable import CountersignHTTP

@Suite("A fair share")
struct FairShareTests {
    private typealias Share = FairShare<String, String>
    private typealias Admission = FairShare<String, String>.Admission

    private var share = Share(capacity: 10)

    /// Admits a holder; the first letter of its name stands for its party.
    private mutating func admit(_ name: String, _ kind: HoldingKind = .idle, taking units: Int = 1) -> Admission {
        share.admit(name, of: String(name.prefix(1)), kind, taking: units)
    }

    private mutating func fill(_ names: String..., kind: HoldingKind = .idle) {
        for name in names { _ = admit(name, kind) }
    }

    @Test mutating func `admits while there is room`() {
        for number in 1...10 {
            let admission = admit("a\(number)")
            #expect(admission == Admission(isAdmitted: true))
        }
        #expect(share.held == 10 && share.count == 10 && share.held(by: "a") == 10)
    }

    @Test mutating func `lets the party give way that holds most`() {
        fill("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "b5", "c1")
        let first = admit("d1")
        #expect(first == Admission(isAdmitted: true, givingWay: ["b1"]))
        let second = admit("d2", taking: 2)
        #expect(second == Admission(isAdmitted: true, givingWay: ["a1", "b2"]))
        #expect(share.held == 10)
    }

    @Test mutating func `takes nothing from a party that holds less than the one that asks would`() {
        fill("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "d1", "d2", kind: .waiting)
        let third = admit("c3", .waiting)
        #expect(third == Admission(isAdmitted: false))
        // Its own holders give way, unless they wait.
        share = Share(capacity: 4)
        fill("a1", "a2", "b1", "b2")
        let more = admit("a3")
        #expect(more == Admission(isAdmitted: true, givingWay: ["a1"]))
        #expect(share.held(by: "b") == 2)
    }

    @Test mutating func `takes from equals only where it is told to`() {
        fill("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1")
        let refused = admit("k1")
        #expect(!refused.isAdmitted)
        share = Share(capacity: 3, equalsGiveWay: true)
        fill("a1", "b1", "c1")
        let admissions = ["k1", "l1"].map { admit($0) }
        #expect(admissions.map(\.givingWay) == [["a1"], ["b1"]])
    }

    @Test mutating func `treats parties alike that differ by less than a step`() {
        share = FairShare(capacity: 40, step: 10, equalsGiveWay: true)
        // Each holds less than two steps; the idle one gives way before what waits, whoever holds more.
        _ = admit("a1", .waiting, taking: 19)
        _ = admit("b1", .idle, taking: 11)
        _ = admit("c1", .idle, taking: 10)
        let admission = admit("d1", .idle, taking: 10)
        #expect(admission == Admission(isAdmitted: true, givingWay: ["b1"]))
    }

    @Test mutating func `lets the idle go first, then the unfinished, then the newest of those that wait`() {
        share = Share(capacity: 6)
        fill("a1", "a2", kind: .waiting)
        fill("a3", "a4", kind: .unfinished)
        fill("a5", "a6", kind: .idle)
        var gone: [String] = []
        for name in ["b1", "c1", "d1", "e1", "f1"] { gone += admit(name).givingWay }
        #expect(gone == ["a5", "a6", "a3", "a4", "a2"])
    }

    @Test mutating func `lets a holder grow, and never gives it way to itself`() {
        fill("a1", "a2", "a3", "b1")
        let grown = share.resize("a2", to: 7, .unfinished)
        #expect(grown == Admission(isAdmitted: true))
        let more = share.resize("a2", to: 8, .unfinished)
        #expect(more == Admission(isAdmitted: true, givingWay: ["a1"]))
        let most = share.resize("a2", to: 11, .unfinished)
        #expect(!most.isAdmitted)
        #expect(share.held(by: "b") == 1)
        let less = share.resize("a2", to: 1, .idle)
        #expect(less.isAdmitted && share.held == share.count)
        let unknown = share.resize("z1", to: 1, .idle)
        #expect(!unknown.isAdmitted)
    }

    @Test mutating func `asks others first where a holder was of use, and spares it where it cannot go now`() {
        fill("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1")
        var asked: [String] = []
        let first = share.admit("c1", of: "c", .idle, taking: 1) { holder in
            asked.append(holder)
            return holder == "a1" ? .notNow : holder == "a2" ? .later : .givesWay
        }
        #expect(asked == ["a1", "a2", "a3"] && first.givingWay == ["a3"])
        let next = ["d1", "e1", "f1", "g1", "h1", "i1"].map { admit($0).givingWay }
        #expect(next == [["a4"], ["a5"], ["a6"], ["a7"], ["a8"], ["a9"]])
        // Of a, the one that was of use and the one that is spared are left.
        let last = admit("j1")
        #expect(last == Admission(isAdmitted: true, givingWay: ["a2"]))
        _ = share.resize("b1", to: 2, .idle)
        share.restore("a1")
        let own = admit("a2")
        #expect(own == Admission(isAdmitted: true, givingWay: ["a1"]))
    }

    @Test mutating func `frees what is released, once`() {
        fill("a1", "a2")
        share.release("a1")
        share.release("a1")
        share.release("z9")
        #expect(share.held == 1 && share.count == 1)
        share.release("a2")
        #expect(share.held == 0 && share.count == 0 && share.held(by: "a") == 0)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `never holds more than there is, and counts right, whatever happens`(seed: UInt64) {
        let random = SeededRandom(seed: seed).source
        var share = FairShare<UInt8, Int>(capacity: 100, step: 4, equalsGiveWay: seed % 2 == 0)
        var expected: [Int: (party: UInt8, units: Int)] = [:]
        for number in 0..<4_000 {
            let bytes = random.bytes(5)
            let (party, units) = (bytes[0] % 7, Int(bytes[1] % 12))
            let kind = HoldingKind.allCases[Int(bytes[2]) % 3]
            let some = expected.keys.sorted().dropFirst(Int(bytes[3]) % max(1, expected.count)).first
            func consent(_ holder: Int) -> FairShare<UInt8, Int>.Consent {
                (holder + number) % 9 == 0 ? .notNow : (holder + number) % 5 == 0 ? .later : .givesWay
            }
            switch bytes[4] % 5 {
            case 0, 1:
                let admission = share.admit(number, of: party, kind, taking: units, asking: consent)
                for gone in admission.givingWay { expected[gone] = nil }
                if admission.isAdmitted { expected[number] = (party, units) }
            case 2:
                guard let some, let before = expected[some] else { break }
                let admission = share.resize(some, to: units, kind, asking: consent)
                #expect(!admission.givingWay.contains(some))
                for gone in admission.givingWay { expected[gone] = nil }
                if admission.isAdmitted { expected[some] = (before.party, units) }
            case 3:
                if let some {
                    share.release(some)
                    expected[some] = nil
                }
            default:
                if let some { share.restore(some) }
            }
            #expect(share.held <= share.capacity)
            #expect(share.held == expected.values.reduce(0) { $0 + $1.units })
            #expect(share.count == expected.count)
        }
        for party in 0..<7 as Range<UInt8> {
            let units = expected.values.filter { $0.party == party }.reduce(0) { $0 + $1.units }
            #expect(share.held(by: party) == units)
        }
    }
}
