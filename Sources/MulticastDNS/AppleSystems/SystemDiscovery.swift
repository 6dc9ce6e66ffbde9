// Not compiled on Linux: this rests on Apple's own library, and stays thin.
#if canImport(Darwin)
internal import Darwin
internal import NIOConcurrencyHelpers
internal import dnssd

/// Discovery with the service of Apple's systems, including peer-to-peer.
package struct SystemDiscovery: Discovery {
    private let selection: InterfaceSelection
    private let jitter: Jitter

    /// Discovery on the selected interfaces.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces to browse and advertise on; all of them by default.
    ///   - random: The source of the marks that make names unique; the system by default.
    package init(on interfaces: InterfaceSelection = .all, random: RandomSource = .system) {
        selection = interfaces
        jitter = Jitter(random)
    }

    /// Looks for instances of `type` by the system's service, until the sequence is dropped or its task ends.
    package func browse(_ type: ServiceType) -> DiscoveryEvents {
        let (stream, events) = AsyncStream<DiscoveryEvent>.makeStream(bufferingPolicy: .bufferingNewest(8192))
        let search = SystemSearch(for: type, telling: events)
        for interface in interfaces { search.begin(on: interface) }
        events.onTermination = { _ in search.end() }
        return DiscoveryEvents(stream)
    }

    /// Advertises a service with the system's service.
    ///
    /// - Throws: ``DiscoveryError`` with code `systemService` when the system refuses, `notWellFormed` for an invalid
    ///   name.
    package func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement {
        let name = service.name ?? jitter.name()
        _ = try ServiceInstance(name: name, type: service.type).domain()
        let (stream, events) = AsyncStream<AdvertisementEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let told = NIOLockedValueBox(name)
        let operations = try interfaces.map { interface in
            try SystemOperation.register(service, named: name, on: interface) { established in
                let before = told.withLockedValue { current in
                    defer { current = established }
                    return current
                }
                if before != established { events.yield(.renamed(from: before, to: established)) }
                events.yield(.established(name: established))
            }
        }
        return Advertisement(events: stream) {
            for operation in operations { operation.end() }
            events.finish()
        }
    }

    /// The numbers of the interfaces; 0 is all of them.
    private var interfaces: [UInt32] {
        switch selection {
        case .all: [0]
        case .named(let names): names.map { if_nametoindex($0) }.filter { $0 != 0 }
        }
    }
}

/// One search, with its operations for each instance.
private final class SystemSearch: Sendable {
    private struct State {
        var browsing: [SystemOperation] = []
        var asking: [ServiceInstance: [SystemOperation]] = [:]
        var addresses: [ServiceInstance: Set<HostAddress>] = [:]
        var isOver = false
    }

    private let type: ServiceType
    private let events: AsyncStream<DiscoveryEvent>.Continuation
    private let state = NIOLockedValueBox(State())
    private static let mostInstances = 256

    init(for type: ServiceType, telling events: AsyncStream<DiscoveryEvent>.Continuation) {
        self.type = type
        self.events = events
    }

    func begin(on interface: UInt32) {
        let operation = try? SystemOperation.browse(type, on: interface) { [weak self] name, exists, interface in
            guard let self else { return }
            let instance = ServiceInstance(name: name, type: type)
            if exists { find(instance, on: interface) } else { lose(instance) }
        }
        keep(operation) { $0.browsing.append($1) }
    }

    func end() {
        let all = state.withLockedValue { state in
            state.isOver = true
            defer { (state.browsing, state.asking) = ([], [:]) }
            return state.browsing + state.asking.values.flatMap { $0 }
        }
        for operation in all { operation.end() }
    }

    private func find(_ instance: ServiceInstance, on interface: UInt32) {
        let isNew = state.withLockedValue { state in
            guard state.asking[instance] == nil, state.asking.count < Self.mostInstances else { return false }
            state.asking[instance] = []
            return true
        }
        guard isNew else { return }
        events.yield(.found(instance))
        let resolving = try? SystemOperation.resolve(instance, on: interface) { [weak self] host, port, text in
            self?.askAddresses(of: instance, at: host, port: port, text: text, on: interface)
        }
        keep(resolving) { $0.asking[instance]?.append($1) }
    }

    private func lose(_ instance: ServiceInstance) {
        let gone = state.withLockedValue { state in
            state.addresses[instance] = nil
            return state.asking.removeValue(forKey: instance)
        }
        guard let gone else { return }
        for operation in gone { operation.end() }
        events.yield(.removed(instance))
    }

    private func askAddresses(
        of instance: ServiceInstance,
        at host: String,
        port: UInt16,
        text: TXTRecord,
        on interface: UInt32
    ) {
        let asking = try? SystemOperation.addresses(of: host, on: interface) { [weak self] address, exists in
            guard let self else { return }
            let known = state.withLockedValue { state in
                if exists {
                    state.addresses[instance, default: []].insert(address)
                } else {
                    state.addresses[instance]?.remove(address)
                }
                return state.addresses[instance] ?? []
            }
            guard !known.isEmpty else { return }
            let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
            events.yield(
                .resolved(
                    ResolvedService(
                        instance: instance, host: bare, port: port, addresses: known.sorted(), text: text)))
        }
        keep(asking) { $0.asking[instance]?.append($1) }
    }

    private func keep(_ operation: SystemOperation?, _ put: (inout State, SystemOperation) -> Void) {
        guard let operation else { return }
        let isOver = state.withLockedValue { state in
            if !state.isOver { put(&state, operation) }
            return state.isOver
        }
        if isOver { operation.end() }
    }
}
#endif
