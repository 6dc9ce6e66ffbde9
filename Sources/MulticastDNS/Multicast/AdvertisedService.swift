/// A service that is advertised on all links, with its current name.
package struct AdvertisedService: Sendable {
    /// The advertisement, as the caller gave it.
    package let advertisement: ServiceAdvertisement
    /// The current name; it differs from the caller's if another host has that one.
    package private(set) var name: String
    /// Whether the caller was notified that the name is established.
    private var isEstablished = false
    /// The links where the name is established.
    package var established: Set<UInt32> = []
    /// The losses of names to other hosts.
    package var conflicts = NameConflictHistory()
    /// Sends events to the caller.
    package let events: AsyncStream<AdvertisementEvent>.Continuation

    /// A service whose name is established nowhere.
    package init(
        advertisement: ServiceAdvertisement,
        name: String,
        events: AsyncStream<AdvertisementEvent>.Continuation
    ) {
        self.advertisement = advertisement
        self.name = name
        self.events = events
    }

    /// Takes another name, which is established nowhere.
    package mutating func rename(to name: String) {
        self.name = name
        isEstablished = false
        established = []
    }

    /// Whether to notify the caller now: the name is established on all links, and the caller does not know it.
    package mutating func noteEstablished(on links: Set<UInt32>) -> Bool {
        guard !isEstablished, !links.isEmpty, established.isSuperset(of: links) else { return false }
        isEstablished = true
        return true
    }
}
