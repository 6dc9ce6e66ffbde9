/// Finds services on the local network, and advertises services of this host.
///
/// ```swift
/// let discovery = try LocalNetwork.discovery()
/// for await event in discovery.browse(try ServiceType("_http._tcp")) {
///     if case .resolved(let service) = event { print(service.instance.name, service.addresses) }
/// }
/// ```
///
/// A discovered service is not authenticated: every host on the network may advertise any name.
///
/// Standard: RFC 6763.
public protocol Discovery: Sendable {
    /// Looks for instances of `type` and their addresses, until the sequence is dropped or its task ends.
    ///
    /// - Parameter type: The type to browse for; with a subtype, only the instances that advertise it.
    /// - Returns: The events as they occur, beginning with the instances that are known already.
    func browse(_ type: ServiceType) -> DiscoveryEvents

    /// Advertises a service. Its name changes when another service on the network has it, as the events say.
    ///
    /// The call returns before the name is established; ``Advertisement/events`` says when it is.
    ///
    /// - Parameter service: The service to advertise, at a port of this host.
    /// - Returns: The advertisement; ``Advertisement/withdraw()`` ends it with a goodbye.
    /// - Throws: ``DiscoveryError`` when the service's name is invalid, or no interface can be used.
    func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement

    /// Records that an instance is real: a link to it got an answer that it alone can give. It is never omitted, even
    /// with too many known instances.
    ///
    /// - Parameter instance: The instance at the other end of the link.
    func confirm(_ instance: ServiceInstance) async
}

extension Discovery {
    /// Does nothing.
    ///
    /// - Parameter instance: A discovered instance.
    public func confirm(_ instance: ServiceInstance) async {}
}

/// A change of the instances of a type.
public enum DiscoveryEvent: Sendable, Hashable {
    /// It was discovered; its address is not known yet.
    case found(ServiceInstance)
    /// Its address and its TXT record; sent again whenever these change.
    case resolved(ResolvedService)
    /// It said goodbye, or its records expired.
    case removed(ServiceInstance)
}

/// The reason that services can't be found or advertised.
public struct DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; errors are compared by this only.
    public enum Code: Hashable, Sendable {
        /// The standard does not allow the name, type or text.
        case notWellFormed
        /// There is no interface that can be used.
        case noInterface
        /// The system does not let us listen or send.
        case notPermitted
        /// The system's discovery service does not answer.
        case systemService
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, in words for a person.
    public let description: String

    /// Creates an error; for code that implements ``Discovery``.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Compares the codes only: two errors of one kind are equal, whatever their descriptions.
    public static func == (left: DiscoveryError, right: DiscoveryError) -> Bool { left.code == right.code }

    /// Hashes the code only, as `==` compares it.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
