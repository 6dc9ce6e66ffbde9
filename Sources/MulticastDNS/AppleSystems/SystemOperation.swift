// Not compiled on Linux: this rests on Apple's own library, and stays thin.
#if canImport(Darwin)
internal import Darwin
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import dnssd

/// An operation of the system's service, which runs until it is ended.
final class SystemOperation: Sendable {
    /// The context of the system's callbacks.
    private final class Listener<Call: Sendable>: Sendable {
        let call: Call
        init(_ call: Call) { self.call = call }
    }

    private struct Running: Sendable {
        nonisolated(unsafe) let reference: DNSServiceRef
        nonisolated(unsafe) let listener: UnsafeMutableRawPointer
        let release: @Sendable (UnsafeMutableRawPointer) -> Void
    }

    private static let queue = DispatchQueue(label: "multicast-dns")
    private let running: NIOLockedValueBox<Running?>

    private init(_ running: Running) { self.running = NIOLockedValueBox(running) }

    /// Ends it, on the queue of the callbacks, so that no callback runs afterwards.
    func end() {
        guard
            let ended = running.withLockedValue({ running in
                defer { running = nil }
                return running
            })
        else { return }
        Self.queue.async {
            DNSServiceRefDeallocate(ended.reference)
            ended.release(ended.listener)
        }
    }

    private static func begin<Call: Sendable>(
        _ call: Call,
        _ start: (inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType
    ) throws -> SystemOperation {
        let listener = Unmanaged.passRetained(Listener(call)).toOpaque()
        let release: @Sendable (UnsafeMutableRawPointer) -> Void = {
            Unmanaged<Listener<Call>>.fromOpaque($0).release()
        }
        var reference: DNSServiceRef?
        let status = start(&reference, listener)
        guard status == kDNSServiceErr_NoError, let reference else {
            release(listener)
            throw DiscoveryError(.systemService, "The system's own discovery refused with status \(status).")
        }
        DNSServiceSetDispatchQueue(reference, queue)
        return SystemOperation(Running(reference: reference, listener: listener, release: release))
    }

    private static func call<Call: Sendable>(_ context: UnsafeMutableRawPointer?, as type: Call.Type) -> Call? {
        context.map { Unmanaged<Listener<Call>>.fromOpaque($0).takeUnretainedValue().call }
    }

    private static let everywhere = DNSServiceFlags(kDNSServiceFlagsIncludeP2P)

    // MARK: What it can do

    typealias RegistrationReply = @Sendable (_ name: String) -> Void
    typealias BrowseReply = @Sendable (_ name: String, _ exists: Bool, _ interface: UInt32) -> Void
    typealias ResolveReply = @Sendable (_ host: String, _ port: UInt16, _ text: TXTRecord) -> Void
    typealias AddressReply = @Sendable (_ address: HostAddress, _ exists: Bool) -> Void

    static func register(
        _ service: ServiceAdvertisement,
        named name: String,
        on interface: UInt32,
        _ registered: @escaping RegistrationReply
    ) throws -> SystemOperation {
        let type = service.type.base.description + (service.type.subtype.map { ",\($0)" } ?? "")
        let text = service.text.strings.flatMap { [UInt8($0.count)] + $0 }
        return try begin(registered) { reference, context in
            DNSServiceRegister(
                &reference, everywhere, interface, name, type, "local", nil, service.port.bigEndian,
                UInt16(text.count), text,
                { _, _, status, name, _, _, context in
                    guard status == kDNSServiceErr_NoError, let name else { return }
                    SystemOperation.call(context, as: RegistrationReply.self)?(String(cString: name))
                },
                context)
        }
    }

    static func browse(
        _ type: ServiceType,
        on interface: UInt32,
        _ browsed: @escaping BrowseReply
    ) throws -> SystemOperation {
        let text = type.base.description + (type.subtype.map { ",\($0)" } ?? "")
        return try begin(browsed) { reference, context in
            DNSServiceBrowse(
                &reference, everywhere, interface, text, "local",
                { _, flags, interface, status, name, _, _, context in
                    guard status == kDNSServiceErr_NoError, let name else { return }
                    let exists = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
                    SystemOperation.call(context, as: BrowseReply.self)?(String(cString: name), exists, interface)
                },
                context)
        }
    }

    static func resolve(
        _ instance: ServiceInstance,
        on interface: UInt32,
        _ resolved: @escaping ResolveReply
    ) throws -> SystemOperation {
        try begin(resolved) { reference, context in
            DNSServiceResolve(
                &reference, everywhere, interface, instance.name, instance.type.description, "local",
                { _, _, _, status, _, host, port, length, text, context in
                    guard status == kDNSServiceErr_NoError, let host else { return }
                    let bytes = text.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) } ?? []
                    SystemOperation.call(context, as: ResolveReply.self)?(
                        String(cString: host), UInt16(bigEndian: port), TXTRecord(data: bytes))
                },
                context)
        }
    }

    static func addresses(
        of host: String,
        on interface: UInt32,
        _ addressed: @escaping AddressReply
    ) throws -> SystemOperation {
        try begin(addressed) { reference, context in
            DNSServiceGetAddrInfo(
                &reference, everywhere, interface,
                DNSServiceProtocol(kDNSServiceProtocol_IPv4 | kDNSServiceProtocol_IPv6),
                host,
                { _, flags, interface, status, _, address, _, context in
                    guard status == kDNSServiceErr_NoError, let address else { return }
                    let isVersion6 = address.pointee.sa_family == sa_family_t(AF_INET6)
                    let raw = UnsafeRawPointer(address)
                    let bytes = (0..<(isVersion6 ? 16 : 4)).map {
                        raw.load(fromByteOffset: (isVersion6 ? 8 : 4) + $0, as: UInt8.self)
                    }
                    var name = [CChar](repeating: 0, count: Int(IFNAMSIZ))
                    let interfaceName = if_indextoname(interface, &name).map { String(cString: $0) }
                    guard let found = HostAddress(bytes: bytes, interface: interfaceName, index: interface) else {
                        return
                    }
                    let exists = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
                    SystemOperation.call(context, as: AddressReply.self)?(found, exists)
                },
                context)
        }
    }
}

extension TXTRecord {
    /// Reads the data of a TXT record: strings, each after its length.
    fileprivate init(data: [UInt8]) {
        var strings: [[UInt8]] = []
        var rest = data[...]
        while let size = rest.popFirst(), Int(size) <= rest.count {
            strings.append(Array(rest.prefix(Int(size))))
            rest = rest.dropFirst(Int(size))
        }
        self.init(strings: strings)
    }
}
#endif
