/// Discovery on the local network with what this system offers.
public enum LocalNetwork {
    /// The system's own service on Apple's systems, and this library's multicast DNS elsewhere.
    ///
    /// ```swift
    /// let discovery = try LocalNetwork.discovery()
    /// let printers = discovery.browse(try ServiceType("_ipp._tcp"))
    /// ```
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces to use; by default every one that leads to a network.
    ///   - clock: Counts the pauses between questions and the lifetimes of records; the system's by default.
    ///   - random: Draws delays, and names for services that were given none; the system's by default.
    /// - Returns: A value that can be stored; it opens sockets only while there is a search or an advertisement.
    /// - Throws: ``DiscoveryError`` with code `noInterface` when a named interface does not exist, or none can be used.
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
