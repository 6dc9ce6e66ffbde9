/// The events of a search.
public struct DiscoveryEvents: AsyncSequence, Sendable {
    /// A discovered, resolved or removed service.
    public typealias Element = DiscoveryEvent

    private let stream: AsyncStream<DiscoveryEvent>

    /// The events of a stream; for code that implements ``Discovery``.
    ///
    /// - Parameter stream: The events, in their order; the sequence ends with the stream.
    public init(_ stream: AsyncStream<DiscoveryEvent>) { self.stream = stream }

    /// One pass over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<DiscoveryEvent>.Iterator

        /// The next event; `nil` when the task was cancelled or the search ended.
        public mutating func next() async -> DiscoveryEvent? { await base.next() }
    }

    /// Begins to read the events; this can be done only once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

/// The events of an advertisement.
public struct AdvertisementEvents: AsyncSequence, Sendable {
    /// A name that was established or changed.
    public typealias Element = AdvertisementEvent

    private let stream: AsyncStream<AdvertisementEvent>

    init(_ stream: AsyncStream<AdvertisementEvent>) { self.stream = stream }

    /// One pass over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<AdvertisementEvent>.Iterator

        /// The next event; `nil` when the task was cancelled or the advertisement was withdrawn.
        public mutating func next() async -> AdvertisementEvent? { await base.next() }
    }

    /// Begins to read the events; this can be done only once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}
