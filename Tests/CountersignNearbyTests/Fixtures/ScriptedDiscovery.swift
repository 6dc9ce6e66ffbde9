@testable import CountersignNearby
import MulticastDNS
import NIOConcurrencyHelpers
import NIOCore

/// A local network that the test makes up: whoever is advertised there is found by all who look.
final class ScriptedDiscovery: Discovery {
    private struct State {
        var services: [String: ResolvedService] = [:]
        var watchers: [AsyncStream<DiscoveryEvent>.Continuation] = []
        var withdrawn: [String] = []
        var types: [ServiceType] = []
        var drawn = 0
        var advertisers: [AsyncStream<AdvertisementEvent>.Continuation] = []
        var confirmed: [String] = []

        mutating func nextDrawnName() -> String {
            drawn += 1
            return drawn == 1 ? "drawn by chance" : "drawn by chance \(drawn)"
        }
    }

    private let state = NIOLockedValueBox(State())

    func browse(_ type: ServiceType) -> DiscoveryEvents {
        let (events, watcher) = AsyncStream<DiscoveryEvent>.makeStream()
        state.withLockedValue { state in
            state.types.append(type)
            state.watchers.append(watcher)
            for service in state.services.values {
                watcher.yield(.found(service.instance))
                watcher.yield(.resolved(service))
            }
        }
        return DiscoveryEvents(events)
    }

    func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement {
        let name = service.name ?? state.withLockedValue { $0.nextDrawnName() }
        add(name, port: service.port)
        let (events, event) = AsyncStream<AdvertisementEvent>.makeStream()
        event.yield(.established(name: name))
        state.withLockedValue { $0.advertisers.append(event) }
        return Advertisement(events: events) { [self] in
            event.finish()
            remove(name)
        }
    }

    /// Makes a service known on loopback, at `127.0.` and two numbers.
    func add(_ name: String, port: UInt16, at host: UInt8 = 1, of network: UInt8 = 0) {
        guard let address = HostAddress(bytes: [127, 0, network, host], interface: nil, index: 0) else { return }
        let service = ResolvedService(
            instance: ServiceInstance(name: name, type: .countersign), host: "host.local", port: port,
            addresses: [address], text: .empty)
        state.withLockedValue { state in
            state.services[name] = service
            for watcher in state.watchers { watcher.yield(.resolved(service)) }
        }
    }

    func remove(_ name: String) {
        state.withLockedValue { state in
            state.services[name] = nil
            state.withdrawn.append(name)
            for watcher in state.watchers {
                watcher.yield(.removed(ServiceInstance(name: name, type: .countersign)))
            }
        }
    }

    /// Tells all who advertise something what has happened to their names.
    func tell(_ event: AdvertisementEvent) {
        for advertiser in state.withLockedValue(\.advertisers) { advertiser.yield(event) }
    }

    func confirm(_ instance: ServiceInstance) async {
        state.withLockedValue { $0.confirmed.append(instance.name) }
    }

    /// The services that a screen has confirmed as real.
    var confirmed: [String] { state.withLockedValue(\.confirmed) }
    var names: [String] { state.withLockedValue { $0.services.keys.sorted() } }
    var withdrawn: [String] { state.withLockedValue(\.withdrawn) }
    var types: [ServiceType] { state.withLockedValue(\.types) }
}
