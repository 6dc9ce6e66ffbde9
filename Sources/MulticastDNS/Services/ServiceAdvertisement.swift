/// A service to advertise.
public struct ServiceAdvertisement: Sendable, Hashable {
    /// The name that people read; `nil` for a random one, so that the host is not recognized by it.
    public let name: String?
    /// The type; a subtype in it is advertised in addition to the type.
    public let type: ServiceType
    /// The port that the service listens on.
    public let port: UInt16
    /// The keys and values of its TXT record.
    public let text: TXTRecord

    /// A service of `type` at a port of this host.
    public init(name: String? = nil, type: ServiceType, port: UInt16, text: TXTRecord = .empty) {
        self.name = name
        self.type = type
        self.port = port
        self.text = text
    }
}

/// An event of an advertised service.
public enum AdvertisementEvent: Sendable, Hashable {
    /// The name is ours now, and was announced.
    case established(name: String)
    /// Another host has the name `from`; `to` is tried instead.
    case renamed(from: String, to: String)
    /// Another host has contested several names in a row, so `name` was drawn at random. It is retained for ten minutes
    /// despite contests: no other host can have it already.
    case contested(name: String)
}

/// An advertised service.
public struct Advertisement: Sendable {
    /// The events of the service; they end when it is withdrawn. Only one task may read them.
    public let events: AdvertisementEvents
    private let end: @Sendable () async -> Void

    /// An advertisement that `withdraw` ends; for code that implements ``Discovery``.
    ///
    /// - Parameters:
    ///   - events: The events of the advertisement; the sequence ends with it.
    ///   - withdraw: Ends the advertisement; it is called once at most.
    public init(events: AsyncStream<AdvertisementEvent>, withdraw: @escaping @Sendable () async -> Void) {
        self.events = AdvertisementEvents(events)
        end = withdraw
    }

    /// Sends a goodbye, and returns when it was sent. A second call does nothing.
    public func withdraw() async { await end() }
}
