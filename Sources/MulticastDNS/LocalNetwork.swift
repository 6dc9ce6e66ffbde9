public import Countersign

/// The way to find others on the local network that this system offers.
public enum LocalNetwork {
    /// The system's own service on Apple's systems, and multicast DNS of ours elsewhere.
    ///
    /// ```swift
    /// let discovery = try LocalNetwork.discovery()
    /// let printers = discovery.browse(try ServiceType("_ipp._tcp"))
    /// ```
    ///
    /// - Parameters:
    ///   - interfaces: Where to look and to be found; by default every interface that leads to a network.
    ///   - clock: Counts the pauses between questions and the lifetimes of records; the system's by default.
    ///   - random: Draws delays, and names for services that were given none; the system's by default.
    /// - Returns: A value that can be kept; it opens sockets only while something is looked for or made known.
    /// - Throws: ``DiscoveryError`` with code `noInterface` when an interface that was named does not exist, or none can be
    ///   used.
    public static func discovery(
        on interfaces: InterfaceSelection = .all,
        clock: TimeSource = .system,
        random: RandomSource = .system
    ) throws(DiscoveryError) -> any Discovery {
        #if os(Linux)
        let discovery = MulticastDiscovery(on: interfaces, clock: clock, random: random)
        try discovery.requireInterfaces()
        return discovery
        #elseif canImport(Darwin)
        return SystemDiscovery(on: interfaces, random: random)
        #else
        throw DiscoveryError(.systemService, "This system has no service for that, and ours is not made for it.")
        #endif
    }
}
