import Countersign
import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("The places of approvers that may be paired")
struct ProbeSchedulerTests {
    private let random = SeededRandom(seed: 11).source

    private func waiting(
        _ name: String,
        at hosts: String...,
        hasAnswered: Bool = false,
        contacts: Int = 0,
        found: Int = 0
    ) -> ProbeScheduler.Waiting {
        ProbeScheduler.Waiting(
            id: NearbyApprover.ID(name: name), hosts: Set(hosts), hasAnswered: hasAnswered, contacts: contacts,
            found: found, rank: random.bytes(2).reduce(0) { $0 << 8 | UInt16($1) })
    }

    /// As many, each at a host of its own; their names come before that of the phone.
    private func hosts(_ count: Int) -> [ProbeScheduler.Waiting] {
        (0..<count).map { waiting("Made up \($0)", at: "10.1.\($0 / 250).\($0 % 250)") }
    }

    @Test func `reach a phone beside five hundred hosts that answer nothing within ten seconds`() {
        var places = ProbeScheduler()
        let phone = waiting("Phone", at: "10.0.0.7")
        var left = hosts(500) + [phone]
        var time = Duration.zero
        #expect(ProbeScheduler.isCrowded(left.count))
        while true {
            let taken = Set(places.take(from: left, running: []).map(\.id))
            #expect(taken.count <= 64 && !taken.isEmpty)
            if taken.contains(phone.id) { break }
            left.removeAll { taken.contains($0.id) }
            time += ProbeScheduler.crowdedTime
        }
        #expect(time < .seconds(10))
    }

    @Test func `are kept for hosts where a paired phone was, and for those that have answered`() {
        var places = ProbeScheduler(knowing: ["10.0.0.7"])
        let busy = places.take(from: hosts(500), running: [])
        #expect(busy.count == 64 && busy.allSatisfy { !$0.probe.isPreferred })
        let running = (0..<64).map { ProbeScheduler.Probe(hosts: ["10.1.0.\($0)"], isPreferred: false) }
        let known = waiting("Phone", at: "10.0.0.7")
        let answering = waiting("Other phone", at: "10.0.0.8", hasAnswered: true)
        let taken = places.take(from: hosts(500) + [known, answering], running: running)
        #expect(Set(taken.map(\.id)) == [known.id, answering.id] && taken.allSatisfy(\.probe.isPreferred))
    }

    @Test func `are sixteen for those, and four at one host`() {
        var places = ProbeScheduler(knowing: ["10.0.0.7"])
        let same = (0..<30).map { waiting("Phone \($0)", at: "10.0.0.7") }
        #expect(places.take(from: same, running: []).count == 4)
        let answering = (0..<30).map { waiting("Phone \($0)", at: "10.0.1.\($0)", hasAnswered: true) }
        #expect(places.take(from: answering, running: []).count == 16)
    }

    /// Each of the others names the phone's host beside its own, and changes its port, so that it is contacted again.
    @Test(arguments: [["10.0.0.7"], []] as [Set<String>], [false, true])
    func `reach a phone beside sixty at its host that come back each time`(known: Set<String>, isNewEachTime: Bool) {
        for _ in 0..<20 {
            var places = ProbeScheduler(knowing: known)
            let phone = waiting("Phone", at: "10.0.0.7", "fe80::7%2")
            var others = (0..<60).map { waiting("Made up \($0)", at: "10.0.0.7", "10.0.0.66") }
            var turns = 1
            while true {
                let taken = Set(places.take(from: others + [phone], running: []).map(\.id))
                #expect(taken.count == 4)
                if taken.contains(phone.id) { break }
                turns += 1
                others = others.map { one in
                    guard taken.contains(one.id) else { return one }
                    // Under another name it is found anew, and later than the phone.
                    return isNewEachTime
                        ? waiting("\(one.id.name) again", at: "10.0.0.7", "10.0.0.66", found: turns)
                        : waiting(one.id.name, at: "10.0.0.7", "10.0.0.66", contacts: one.contacts + 1)
                }
                guard turns <= 16 else { break }
            }
            #expect(turns <= 16)
        }
    }

    @Test func `are taken at a known host only where an approver names others beside it`() {
        var places = ProbeScheduler(knowing: ["10.0.0.7"])
        let taken = places.take(from: [waiting("Phone", at: "10.0.0.66", "10.0.0.7")], running: [])
        #expect(taken.map(\.probe.hosts) == [["10.0.0.7"]] && taken.allSatisfy(\.probe.isPreferred))
    }

    @Test func `are four at each host that an approver names`() {
        var places = ProbeScheduler()
        let others = (0..<30).map { waiting("Made up \($0)", at: "10.2.0.\($0)", "10.0.0.7") }
        #expect(places.take(from: others, running: []).count == 4)
        let running = (0..<4).map { ProbeScheduler.Probe(hosts: ["10.2.0.\($0)", "10.0.0.7"], isPreferred: false) }
        #expect(places.take(from: others, running: running).isEmpty)
    }
}
