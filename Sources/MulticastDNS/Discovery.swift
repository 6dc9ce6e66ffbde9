/// How services are found on the local network, and how one's own is made known.
///
///     let discovery = try LocalNetwork.discovery()
///     for await event in discovery.browse(try ServiceType("_http._tcp")) {
///         if case .resolved(let service) = event { print(service.instance.name, service.addresses) }
///     }
///
/// What is found here is a candidate and nothing more: every host on the network may advertise any name.
///
/// Standard: RFC 6763.
public protocol Discovery: Sendable {
    /// Looks for instances of `type`, and for where each can be reached, until the sequence is dropped or its task ends.
    ///
    /// - Parameter type: What to look for; with a subtype, only the instances that advertise it.
    /// - Returns: The events as they come. They begin with the instances that are there already.
    func browse(_ type: ServiceType) -> DiscoveryEvents

    /// Makes a service known; its name may change when another on the network has it, which the events tell.
    ///
    /// The call returns once the work has begun, before the name is sure; ``Advertisement/events`` tells that.
    ///
    /// - Parameter service: What to make known, at a port of this host.
    /// - Returns: The advertisement; ``Advertisement/withdraw()`` ends it with a goodbye.
    /// - Throws: ``DiscoveryError`` when the service can't be written down, or no interface can be used.
    func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement
}

/// What happens to the instances of a type that one looks for.
public enum DiscoveryEvent: Sendable, Hashable {
    /// It is there; where, is not known yet.
    case found(ServiceInstance)
    /// Where it can be reached and what it says about itself; told again whenever that changes.
    case resolved(ResolvedService)
    /// It said goodbye, or was not heard of for as long as it had promised.
    case removed(ServiceInstance)
}

/// Why services can't be looked for or made known.
public struct DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is; equality of errors looks at this alone.
    public enum Code: Hashable, Sendable {
        /// A name, type or text that the standard does not allow.
        case notWellFormed
        /// There is no interface that can be used.
        case noInterface
        /// The system does not let us listen or send.
        case notPermitted
        /// The system's own service for this does not answer.
        case systemService
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What happened, in words for a person.
    public let description: String

    /// An error of a kind, told in words; for code that implements ``Discovery``.
    ///
    /// - Parameters:
    ///   - code: The kind, which a program looks at.
    ///   - description: What happened, in a sentence for a person.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Compares the codes alone: two errors of one kind are equal, whatever their words.
    public static func == (left: DiscoveryError, right: DiscoveryError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code alone, as `==` compares it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
