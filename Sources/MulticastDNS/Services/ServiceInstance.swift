/// One service of a type, by the name that people read.
///
/// Standard: RFC 6763 §4.1.1.
public struct ServiceInstance: Hashable, Sendable {
    /// One label: up to 63 bytes of UTF-8, dots and spaces included.
    public let name: String
    /// Its type, without a subtype.
    public let type: ServiceType

    /// The instance `name` of `type`.
    public init(name: String, type: ServiceType) {
        self.name = name
        self.type = type.base
    }

    /// Compares the bytes of the names: two that differ by their Unicode normalisation only are two instances.
    ///
    /// Standard: RFC 6762 §16.
    public static func == (left: ServiceInstance, right: ServiceInstance) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.type == right.type
    }

    /// Hashes the bytes of the name, as `==` compares them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(type)
    }
}

/// An instance with its host, port, addresses and TXT record.
public struct ResolvedService: Hashable, Sendable {
    /// The name and the type of the service.
    public let instance: ServiceInstance
    /// The host's name, without the closing dot: `tv.local`.
    public let host: String
    /// The port that it listens on.
    public let port: UInt16
    /// At least one; IPv4 addresses first, each kind in ascending order.
    public let addresses: [HostAddress]
    /// The keys and values of its TXT record.
    public let text: TXTRecord

    /// A discovered service; for code that implements ``Discovery``.
    public init(instance: ServiceInstance, host: String, port: UInt16, addresses: [HostAddress], text: TXTRecord) {
        self.instance = instance
        self.host = host
        self.port = port
        self.addresses = addresses
        self.text = text
    }
}
