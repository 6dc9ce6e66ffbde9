import MulticastDNS
import NIOCore
import Testing

/// Standard: RFC 6763 §7 and §9.
@Suite("A search for types that a network has")
struct ServiceTypesTests {
    @Test(arguments: [
        ("_nvstream_dbd._tcp", "_nvstream_dbd._tcp"),
        ("_a-name-that-is-longer-than-fifteen._UDP.local.", "_a-name-that-is-longer-than-fifteen._udp"),
        ("_123._tcp", "_123._tcp"), ("_ä b._tcp", "_ä b._tcp"), ("_a._sub._x_y._tcp", "_a._sub._x_y._tcp"),
        ("_http._tcp", "_http._tcp"), ("_services._dns-sd._udp", "_services._dns-sd._udp"),
        ("_Services._DNS-SD._udp.local.", "_services._dns-sd._udp"),
    ])
    func `takes every type that a device may have`(text: String, type: String) throws {
        #expect(try ServiceType(browsing: text).description == type)
    }

    @Test(arguments: [
        "", "http._tcp", "_http", "_http._sctp", "_._tcp", "_a\u{7}._tcp", "a._http._tcp", "_dns-sd._services._udp",
        "_\(String(repeating: "a", count: 63))._tcp", "_services._dns-sd._tcp",
    ])
    func `takes nothing that is none`(text: String) {
        #expect(throws: DiscoveryError(.notWellFormed, "")) { try ServiceType(browsing: text) }
    }

    /// Others follow the rules for names, and so does what is advertised here.
    @Test(arguments: ["_nvstream_dbd._tcp", "_services._dns-sd._udp"])
    func `lets nothing be advertised by such a type`(text: String) throws {
        #expect(throws: DiscoveryError(.notWellFormed, "")) { try ServiceType(text) }
        #expect(throws: DiscoveryError(.notWellFormed, "")) {
            let type = ServiceType.serviceTypes
            _ = try Publication.service(
                ServiceAdvertisement(name: "TV", type: type, port: 80), named: "TV", at: DomainName("tv", "local"))
        }
    }

    @Test func `lists the types, and asks for nothing of them`() throws {
        var machine = LinkQuerier(jitter: Fixture.jitter)
        let now = Fixture.noon
        machine.look(for: .serviceTypes, at: now)
        let asked = machine.advance(at: now).flatMap(\.message.questions)
        let list = try DomainName("_services", "_dns-sd", "_udp", "local")
        #expect(asked.map(\.name) == [list])
        let pointers = [
            try DomainName("_http", "_tcp", "local"), try DomainName("_nvstream_dbd", "_TCP", "local"),
            // None of these is a type.
            try DomainName("TV", "_http", "_tcp", "local"), try DomainName("_http", "_tcp", "example"),
            try DomainName("http", "_tcp", "local"), try DomainName("_a.b", "_tcp", "local"),
            try DomainName(labels: [[0x5F, 0xFF], Array("_tcp".utf8), Array("local".utf8)]),
        ]
        let answers = pointers.map {
            ResourceRecord(.serviceTypes, .pointer($0), lifetime: 4500, isUnique: false)
        }
        machine.receive(ReceivedMessage(.response(answers), from: try Fixture.address(2), isEcho: false), at: now)
        let names = { machine.knownInstances(of: .serviceTypes).map(\.instance.name).sorted() }
        #expect(names() == ["_http._tcp", "_nvstream_dbd._tcp"])
        #expect(machine.knownInstances(of: .serviceTypes).allSatisfy { $0.details == nil })
        let questions = (1...300).flatMap { machine.advance(at: now + .seconds($0)).flatMap(\.message.questions) }
        #expect(Set(questions.map(\.name)) == [.serviceTypes])
        let goodbye = ResourceRecord(.serviceTypes, .pointer(pointers[0]), lifetime: 0, isUnique: false)
        let later = now + .seconds(301)
        machine.receive(ReceivedMessage(.response([goodbye]), from: try Fixture.address(2), isEcho: false), at: later)
        _ = machine.advance(at: later + .seconds(2))
        #expect(names() == ["_nvstream_dbd._tcp"])
    }

    @Test func `finds an instance of a type with an underscore in its name`() throws {
        var machine = LinkQuerier(jitter: Fixture.jitter)
        let type = try ServiceType(browsing: "_nvstream_dbd._tcp")
        machine.look(for: type, at: Fixture.noon)
        let instance = try DomainName("PC", "_nvstream_dbd", "_tcp", "local")
        let answer = ResourceRecord(type.domain, .pointer(instance), lifetime: 4500, isUnique: false)
        machine.receive(
            ReceivedMessage(.response([answer]), from: try Fixture.address(2), isEcho: false), at: Fixture.noon)
        #expect(machine.knownInstances(of: type).map(\.instance.name) == ["PC"])
    }
}
