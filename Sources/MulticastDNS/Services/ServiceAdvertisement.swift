/// A service that one wants to be found.
public struct ServiceAdvertisement: Sendable, Hashable {
    /// The name that people read; nil for one that is drawn at random, so that the host is not recognised by it.
    public let name: String?
    /// The type; a subtype in it is advertised beside the type.
    public let type: ServiceType
    /// The port at which the service listens.
    public let port: UInt16
    /// The keys and values of its TXT record.
    public let text: ServiceText

    /// A service of `type` at a port of this host.
    ///
    /// - Parameters:
    ///   - name: The name that people read: 1 to 63 bytes of UTF-8. `nil`, the default, draws one at random.
    ///   - type: The type; a subtype in it is advertised beside the type.
    ///   - port: The port at which the service listens, from 1 to 65535.
    ///   - text: What it says about itself; nothing by default.
    public init(name: String? = nil, type: ServiceType, port: UInt16, text: ServiceText = .empty) {
        self.name = name
        self.type = type
        self.port = port
        self.text = text
    }
}

/// What becomes of a service that is advertised.
public enum AdvertisementEvent: Sendable, Hashable {
    /// The name is ours now, and others were told.
    case established(name: String)
    /// Another has the name `from`; `to` is tried instead.
    case renamed(from: String, to: String)
}

/// A service while it is advertised.
public struct Advertisement: Sendable {
    /// What becomes of it; ends when it is withdrawn. For one reader.
    public let events: AdvertisementEvents
    private let end: @Sendable () async -> Void

    /// An advertisement that `withdraw` ends; for those who make a ``Discovery``.
    public init(events: AsyncStream<AdvertisementEvent>, withdraw: @escaping @Sendable () async -> Void) {
        self.events = AdvertisementEvents(events)
        end = withdraw
    }

    /// Says goodbye, and returns when that was sent. The second time, it does nothing.
    public func withdraw() async {
        await end()
    }
}
