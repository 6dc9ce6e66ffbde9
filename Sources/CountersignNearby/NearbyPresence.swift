internal import Countersign
internal import MulticastDNS

/// Makes an approver known for as long as it listens.
///
/// A name that a person chose stays. One drawn at random is replaced from time to time, so that the device cannot be
/// followed by it; not while a screen is being answered, which might take that for an end.
actor NearbyPresence {
    /// How it is made known.
    private let discovery: any Discovery
    /// What is made known.
    private let service: ServiceAdvertisement
    /// The time.
    private let clock: TimeSource
    /// Told each name that is sure.
    private let tell: @Sendable (String) async -> Void
    /// What is made known now; `nil` when nothing is.
    private var advertisement: Advertisement?
    /// Reads what becomes of it.
    private var telling: Task<Void, Never>?

    /// An approver that is not made known yet.
    init(
        of service: ServiceAdvertisement,
        by discovery: any Discovery,
        clock: TimeSource,
        telling tell: @escaping @Sendable (String) async -> Void = { _ in }
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
            for await event in advertisement.events {
                if case .established(let name) = event { await tell(name) }
            }
        }
    }

    /// Changes the name whenever its time is over, until the task is cancelled.
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
            // The network may be away for a moment; no screen finds this device until it is back.
            due = clock.instant() + (advertisement == nil ? Self.nextLook : span)
        }
    }

    /// Says goodbye.
    func end() async {
        await advertisement?.withdraw()
        advertisement = nil
        telling?.cancel()
        telling = nil
    }

    /// When to look again whether the name can be changed.
    private static let nextLook = Duration.seconds(5)
}
