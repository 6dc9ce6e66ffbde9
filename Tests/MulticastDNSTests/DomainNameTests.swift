import MulticastDNS
import NIOCore
import Testing

@Suite("A name of the DNS")
struct DomainNameTests {
    @Test func `is the same in any case of its ASCII letters, and is kept as it was written`() throws {
        let name = try DomainName("My TV", "_http", "_tcp", "local")
        #expect(try name == DomainName("my tv", "_HTTP", "_tcp", "LOCAL"))
        #expect(try DomainName("Ä", "local") != DomainName("ä", "local"))
        #expect(name.labels.first == Array("My TV".utf8))
    }

    @Test func `shows dots within a label as what they are`() throws {
        #expect(try DomainName("a.b", "local").description == #"a\.b.local"#)
        #expect(try DomainName("a\\\u{7}", "local").description == #"a\\\007.local"#)
    }

    @Test func `has labels of 1 to 63 bytes, and 255 in all`() throws {
        let long = String(repeating: "x", count: 63)
        #expect(throws: MessageError.labelLength) { try DomainName("") }
        #expect(throws: MessageError.labelLength) { try DomainName(long + "x") }
        #expect(try DomainName(long, long, long, String(repeating: "y", count: 61)).wire.count == 255)
        #expect(throws: MessageError.nameTooLong) { try DomainName(long, long, long, long) }
        #expect(throws: MessageError.nameTooLong) {
            try DomainName(long, long, long).below(DomainName(long))
        }
    }

    @Test func `of a service holds its instance as one label`() throws {
        let type = try ServiceType("_printer._sub._http._tcp")
        #expect(type.domain.description == "_printer._sub._http._tcp.local")
        #expect(type.base.domain.description == "_http._tcp.local")
    }
}

@Suite("An instance of a service")
struct ServiceInstanceTests {
    @Test func `is another one when its name has other bytes, although it looks alike`() throws {
        let type = try ServiceType("_http._tcp")
        let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
        #expect(composed == decomposed)
        let instances = [composed, decomposed].map { ServiceInstance(name: $0, type: type) }
        #expect(instances[0] != instances[1])
        #expect(Set(instances + [ServiceInstance(name: composed, type: type)]).count == 2)
    }
}

@Suite("A service type")
struct ServiceTypeTests {
    @Test(arguments: ["_http._tcp", "_http._tcp.local", "_http._tcp.local.", "_a._udp", "_a-b2._TCP"])
    func `is read as others write it`(text: String) throws {
        #expect(try ServiceType(text).subtype == nil)
    }

    @Test(arguments: [
        "", "http._tcp", "_http", "_http._sctp", "_._tcp", "_123._tcp", "_-a._tcp", "_a--b._tcp", "_a-._tcp",
        "_abcdefghijklmnop._tcp", "_ä._tcp", "a._http._tcp", "._sub._http._tcp",
    ])
    func `is refused when it is none`(text: String) {
        #expect(throws: DiscoveryError(.notWellFormed, "")) { try ServiceType(text) }
    }
}

@Suite("What a service says about itself")
struct ServiceTextTests {
    @Test func `tells a key without a value from one whose value is empty`() throws {
        let text = try TXTRecord([("a", Array("1=2".utf8)), ("b", nil), ("c", [])])
        #expect(text.entries.map(\.text) == ["1=2", nil, ""])
        #expect(text["A"]?.text == "1=2")
    }

    @Test func `counts the first of two alike keys`() throws {
        let text = try TXTRecord([("Key", Array("1".utf8)), ("kEY", Array("2".utf8))])
        #expect(text.entries.map(\.text) == ["1"])
    }

    @Test(arguments: ["", "a=b", "ä", "a\u{7}"])
    func `has keys of printable ASCII`(key: String) {
        #expect(throws: DiscoveryError(.notWellFormed, "")) { try TXTRecord([(key, nil)]) }
    }

    @Test func `has entries of 255 bytes at most`() throws {
        #expect(try TXTRecord([("k", [UInt8](repeating: 0, count: 253))]).entries.count == 1)
        #expect(throws: DiscoveryError(.notWellFormed, "")) {
            try TXTRecord([("k", [UInt8](repeating: 0, count: 254))])
        }
    }
}

@Suite("An address of a host")
struct HostAddressTests {
    @Test(
        arguments: [
            ([10, 77, 0, 2], "10.77.0.2"),
            ([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [2], "fe80::2"),
            ([UInt8](repeating: 0, count: 16), "::"),
            ([UInt8](repeating: 0, count: 15) + [1], "::1"),
            ([0x20, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "2001:0:1::1"),
            ([0x20, 1, 0x0D, 0xB8, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "2001:db8:0:1:1:1:1:1"),
        ] as [([UInt8], String)])
    func `is written as people write it`(bytes: [UInt8], text: String) throws {
        #expect(HostAddress(bytes: bytes, interface: nil, index: 0)?.bare == text)
    }

    @Test func `names its interface when it is nothing without it`() throws {
        let local: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [2]
        let address = try #require(HostAddress(bytes: local, interface: "lo", index: 1))
        #expect(address.description == "fe80::2%lo")
        #expect(HostAddress(bytes: [10, 0, 0, 1], interface: "lo", index: 1)?.description == "10.0.0.1")
        #expect(HostAddress(bytes: [1], interface: nil, index: 0) == nil)
    }
}
