public import Countersign

/// The way to find others on the local network that this system offers.
public enum LocalNetwork {
    /// The system's own service on Apple's systems, and multicast DNS of ours elsewhere.
    ///
    /// - Throws: ``DiscoveryError`` when an interface that was named does not exist, or none can be used.
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
