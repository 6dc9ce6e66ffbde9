@testable import CountersignNearby
import MulticastDNS
import Testing

@Suite("The type under which phones are found")
struct ServiceTypeTests {
    @Test func `of one app has a subtype of 16 characters of its id's digest`() {
        let type = ServiceType.countersign(app: "net.example.player")
        #expect(type.description == "_jlrlejvwoxvakdbm._sub._countersign._tcp")
        #expect(type != ServiceType.countersign(app: "net.example.Player"))
        #expect(type.base == .countersign)
    }
}
