import MulticastDNS

/// The examples in the documentation of discovery, word for word: `Scripts/check-examples.py` compares them. They need
/// a network and a person, so they are compiled only.
struct MulticastExamples {
    func discovery() async throws {
        let discovery = try LocalNetwork.discovery()
        let type = try ServiceType("_http._tcp")
        let advertisement = try await discovery.advertise(
            ServiceAdvertisement(type: type, port: 4711, text: TXTRecord(["path": "/"])))
        for await event in discovery.browse(type) {
            if case .resolved(let service) = event {
                print(service.instance.name, service.addresses, service.port)
                break
            }
        }
        await advertisement.withdraw()
    }

    func advertising() async throws {
        let discovery = try LocalNetwork.discovery()
        let type = try ServiceType("_http._tcp")
        let advertisement = try await discovery.advertise(
            ServiceAdvertisement(name: "Living room", type: type, port: 8080))
        for await event in discovery.browse(type) {
            if case .resolved(let service) = event {
                print(service.instance.name, service.addresses, service.port)
                break
            }
        }
        await advertisement.withdraw()
    }

    func finding() async throws {
        let discovery = try LocalNetwork.discovery()
        for await event in discovery.browse(try ServiceType("_http._tcp")) {
            if case .resolved(let service) = event { print(service.instance.name, service.addresses) }
        }
    }

    func browsing() throws {
        let discovery = try LocalNetwork.discovery()
        let printers = discovery.browse(try ServiceType("_ipp._tcp"))
        _ = printers
    }
}
