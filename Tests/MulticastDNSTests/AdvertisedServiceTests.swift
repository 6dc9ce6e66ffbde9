@testable import MulticastDNS
import Testing

@Suite("An advertised service")
struct AdvertisedServiceTests {
    private func advertised() throws -> AdvertisedService {
        AdvertisedService(
            advertisement: ServiceAdvertisement(name: "TV", type: Fixture.type, port: 80), name: "TV",
            events: AsyncStream.makeStream().continuation)
    }

    @Test func `is established once its name is on every link, also when the last one without it is removed`() throws {
        var service = try advertised()
        service.established.insert(2)
        let told = [[2, 3], [], [2], [2]].map { service.noteEstablished(on: $0) }
        #expect(told == [false, false, true, false])
    }

    @Test func `is to be established anew under another name`() throws {
        var service = try advertised()
        service.established.insert(2)
        _ = service.noteEstablished(on: [2])
        service.rename(to: "TV (2)")
        let isToldAtOnce = service.noteEstablished(on: [2])
        #expect(service.name == "TV (2)" && !isToldAtOnce)
    }
}

@Suite("An interface")
struct NetworkInterfaceTests {
    @Test(arguments: [("eth0", "eth0"), ("eth0:1", "eth0"), ("br-lan:web:2", "br-lan"), ("", "")])
    func `has the addresses of its aliases`(label: String, name: String) {
        #expect(NetworkInterface.name(ofLabel: label) == name)
    }
}
