import Countersign
import CountersignNearby
import CountersignTesting
import Testing

@Suite("The places of approvers that may be remembered")
struct ProbeSchedulerTests {
    private let random = SeededRandom(seed: 11).source

    private func waiting(_ name: String, at host: String, hasAnswered: Bool = false) -> ProbeScheduler.Waiting {
        ProbeScheduler.Waiting(
            id: NearbyApprover.ID(name: name), host: host, hasAnswered: hasAnswered,
            rank: random.bytes(2).reduce(0) { $0 << 8 | UInt16($1) })
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

    @Test func `are kept for hosts where a remembered phone was, and for those that have answered`() {
        var places = ProbeScheduler(knowing: ["10.0.0.7"])
        let busy = places.take(from: hosts(500), running: [])
        #expect(busy.count == 64 && busy.allSatisfy { !$0.isPreferred })
        let running = (0..<64).map { (host: "10.1.0.\($0)", isPreferred: false) }
        let known = waiting("Phone", at: "10.0.0.7")
        let answering = waiting("Other phone", at: "10.0.0.8", hasAnswered: true)
        let taken = places.take(from: hosts(500) + [known, answering], running: running)
        #expect(Set(taken.map(\.id)) == [known.id, answering.id] && taken.allSatisfy(\.isPreferred))
    }

    @Test func `are sixteen for those, and four at one host`() {
        var places = ProbeScheduler(knowing: ["10.0.0.7"])
        let same = (0..<30).map { waiting("Phone \($0)", at: "10.0.0.7") }
        #expect(places.take(from: same, running: []).count == 4)
        let answering = (0..<30).map { waiting("Phone \($0)", at: "10.0.1.\($0)", hasAnswered: true) }
        #expect(places.take(from: answering, running: []).count == 16)
    }
}
