public import FoundationEssentialsCompat

/// The source of the time; handed in, so that tests need not wait.
///
/// A machine has two clocks. The wall clock gives the date, and can be set by a person or over the network. The running
/// clock only counts, and never jumps. Dates go to people and to other machines; spans are measured by instants.
///
/// ```swift
/// let server = try AuthorizationServer(settings, keeping: store, clock: .system, random: .system, logger: logger)
/// ```
///
/// Tests take a `ManualClock` of `CountersignTesting` instead, whose time the test advances.
public struct TimeSource: Sendable {
    private let readDate: @Sendable () -> Date
    private let readInstant: @Sendable () -> ContinuousClock.Instant
    private let readBoth: @Sendable () -> Moment
    private let wait: @Sendable (_ until: ContinuousClock.Instant) async throws -> Void

    /// A source made of one reading of both clocks, and a way to wait.
    ///
    /// - Parameters:
    ///   - reading: Reads the wall clock and the running clock at the same moment.
    ///   - sleeping: Returns once the running clock has reached the instant. It returns earlier only by throwing, when
    ///     its task is cancelled.
    public init(
        reading: @escaping @Sendable () -> Moment,
        sleeping: @escaping @Sendable (_ until: ContinuousClock.Instant) async throws -> Void
    ) {
        self.init(
            readDate: { reading().date },
            readInstant: { reading().instant },
            readBoth: reading,
            wait: sleeping
        )
    }

    private init(
        readDate: @escaping @Sendable () -> Date,
        readInstant: @escaping @Sendable () -> ContinuousClock.Instant,
        readBoth: @escaping @Sendable () -> Moment,
        wait: @escaping @Sendable (_ until: ContinuousClock.Instant) async throws -> Void
    ) {
        self.readDate = readDate
        self.readInstant = readInstant
        self.readBoth = readBoth
        self.wait = wait
    }

    /// The clocks of this machine: the one place that reads them.
    public static let system = TimeSource(
        readDate: { Date() },
        readInstant: { ContinuousClock.now },
        readBoth: { Moment(instant: ContinuousClock.now, date: Date()) },
        wait: { try await Task.sleep(until: $0, clock: .continuous) }
    )
}

extension TimeSource {
    /// The date, by the wall clock.
    public func now() -> Date { readDate() }

    /// The instant, by the clock that never jumps: for measuring spans.
    public func instant() -> ContinuousClock.Instant { readInstant() }

    /// Both clocks, read at the same moment.
    public func moment() -> Moment { readBoth() }

    /// Waits until `instant`.
    ///
    /// - Parameter instant: The instant to wait for; one that has passed returns at once.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until instant: ContinuousClock.Instant) async throws { try await wait(instant) }

    /// Waits for `span`.
    ///
    /// - Parameter span: The time to wait from now, by the clock that never jumps; nothing or less returns at once.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for span: Duration) async throws { try await wait(instant() + span) }
}
