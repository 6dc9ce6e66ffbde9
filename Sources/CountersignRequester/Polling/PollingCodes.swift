public import Countersign
public import CountersignWire

/// A code that somebody decides about, as far as it matters for asking.
public struct AwaitedCode: Sendable, Equatable {
    /// What is asked with.
    public let deviceCode: DeviceCode
    /// How long it lives, in seconds.
    public let expiresIn: Int
    /// How long to leave at least between two requests, in seconds.
    public let interval: Int
    /// Whether nobody has to decide any more, so that the first request may follow at once.
    public let isDecided: Bool

    /// A code out of what a server says of it.
    public init(_ deviceCode: DeviceCode, expiresIn: Int, interval: Int, isDecided: Bool = false) {
        self.deviceCode = deviceCode
        self.expiresIn = expiresIn
        self.interval = interval
        self.isDecided = isDecided
    }
}

/// What bounds the polling machine whatever a server says.
public struct PollingRules: Sendable, Equatable {
    /// By how much each `slow_down` that names no time lengthens the interval. Standard: RFC 8628 §3.5.
    static let slowDown = Duration.seconds(5)
    /// The shortest interval, for servers that name none worth the name.
    static let shortestInterval = Duration.seconds(1)
    /// The longest life of a code that is believed: 1 day.
    static let longestLifetime = Duration.seconds(86_400)
    /// The longest rest between two attempts when the network fails.
    static let longestBackOff = Duration.seconds(60)
    /// The shortest request worth holding open, in seconds.
    static let shortestWait = 5

    /// How often an expired code is replaced by a new one.
    public var renewals: Int
    /// How long the server is asked to hold a request open; `nil` for never.
    public var wait: WaitPreference?

    /// Rules with this many renewals and this wish to wait.
    public init(renewals: Int = 0, wait: WaitPreference? = nil) {
        self.renewals = max(0, renewals)
        self.wait = wait
    }
}

/// Why a code is of no use.
public enum PollingCodesRefused: Error, Sendable, Equatable {
    /// It is over on arrival.
    case noLifetime
    /// It would be over before the first request is allowed.
    case intervalTooLong
}

/// One code while it is alive.
struct PollingCodes: Sendable, Equatable {
    let deviceCode: DeviceCode
    /// The instant at which the code is over.
    let end: ContinuousClock.Instant
    var interval: Duration
    /// How many requests in a row failed.
    var failures = 0
    /// How long the server is asked to hold the next request.
    var wait: WaitPreference?
    /// Whether no request was made with it.
    var isUnasked = true
    let renewalsLeft: Int
    private let isDecided: Bool

    init(
        _ code: AwaitedCode,
        received now: Moment,
        under rules: PollingRules,
        renewalsLeft: Int
    ) throws(PollingCodesRefused) {
        let lifetime = min(.seconds(code.expiresIn), PollingRules.longestLifetime)
        guard lifetime > .zero else { throw .noLifetime }
        interval = max(.seconds(code.interval), PollingRules.shortestInterval)
        guard interval < lifetime || code.isDecided else { throw .intervalTooLong }
        deviceCode = code.deviceCode
        isDecided = code.isDecided
        end = now.instant + lifetime
        wait = rules.wait
        self.renewalsLeft = renewalsLeft
    }

    /// Somebody who has to find the code first does not decide within one interval, so the first request waits too: some
    /// servers count from the start.
    func firstRequest(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        isDecided ? now : now + interval
    }

    /// When to ask again after an answer that nobody has decided.
    ///
    /// After a request that the server held, at once; but a server that says so and answers early is not asked
    /// more often than its interval allows.
    func nextRequest(
        since asked: ContinuousClock.Instant,
        held: Bool,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        held && wait != nil ? max(now, asked + interval) : now + interval
    }

    /// When to ask again after a request that came too early: at the time that the server names, or more slowly for
    /// good when it names none.
    mutating func slowDown(retryIn: RetryAfter?, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        if let retryIn { return now + max(.seconds(retryIn.seconds), PollingRules.shortestInterval) }
        interval += PollingRules.slowDown
        return now + interval
    }

    /// How long to have the next request held; not at all after a failure, to learn soon whether it has passed.
    var waitNow: WaitPreference? { failures == 0 ? wait : nil }

    /// Counts a failure; when something on the way seems to cut long requests, they become shorter.
    mutating func fail(by trouble: Trouble) {
        let held = waitNow
        failures += 1
        guard trouble == .interrupted, let seconds = held?.seconds else { return }
        wait = seconds / 2 < PollingRules.shortestWait ? nil : WaitPreference(seconds: seconds / 2)
    }

    /// When to try again after a failure: twice as long each time, but within the code's life if that is possible.
    func retry(
        after retryAfter: RetryAfter?,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        if let retryAfter { return now + max(interval, .seconds(retryAfter.seconds)) }
        let doubled = interval * (1 << min(failures, 10))
        let backedOff = now + max(interval, min(doubled, PollingRules.longestBackOff))
        guard backedOff >= end else { return backedOff }
        return max(now + interval, end - .seconds(1))
    }
}
