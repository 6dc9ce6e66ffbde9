/// Advertises an approver on the network while it listens.
///
/// A name that a person chose stays. A random one is replaced from time to time, so that the device cannot be tracked
/// by it; but not while a screen is being answered, since that screen might conclude that the approver has left.
actor ApproverAdvertiser {
    /// Advertises the service.
    private let discovery: any Discovery
    private let service: ServiceAdvertisement
    private let clock: TimeSource
    /// Called with each event of the name.
    private let tell: @Sendable (AdvertisementEvent) async -> Void
    /// The current advertisement; `nil` when there is none.
    private var advertisement: Advertisement?
    /// Reads the events of the advertisement.
    private var telling: Task<Void, Never>?

    /// An advertiser that has not begun.
    init(
        of service: ServiceAdvertisement,
        by discovery: any Discovery,
        clock: TimeSource,
        telling tell: @escaping @Sendable (AdvertisementEvent) async -> Void = { _ in }
    ) {
        self.service = service
        self.discovery = discovery
        self.clock = clock
        self.tell = tell
    }

    /// - Throws: ``DiscoveryError``.
    func begin() async throws {
        let advertisement = try await discovery.advertise(service)
        self.advertisement = advertisement
        telling = Task { [tell] in
            for await event in advertisement.events { await tell(event) }
        }
    }

    /// Replaces a random name every `span`, until the task is cancelled.
    func rename(every span: Duration, unless isBusy: @Sendable () async -> Bool) async {
        guard service.name == nil else { return }
        var due = clock.instant() + span
        while (try? await clock.sleep(until: due)) != nil {
            if await isBusy() {
                due = clock.instant() + Self.nextLook
                continue
            }
            await end()
            try? await begin()
            // The network may be down for a moment; no screen finds this device until it is back.
            due = clock.instant() + (advertisement == nil ? Self.nextLook : span)
        }
    }

    /// Withdraws the advertisement.
    func end() async {
        await advertisement?.withdraw()
        advertisement = nil
        telling?.cancel()
        telling = nil
    }

    /// The time until the next check whether the name can be changed.
    private static let nextLook = Duration.seconds(5)
}
