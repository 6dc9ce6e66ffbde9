internal import Countersign
internal import CountersignWire

/// A code about which a person decides, as far as polling needs it.
struct AwaitedCode: Sendable, Equatable {
    /// The secret that the client polls with.
    let deviceCode: DeviceCode
    /// The lifetime of the code, in seconds.
    let expiresIn: Int
    /// The shortest time between two requests, in seconds.
    let interval: Int
    /// Whether the first request follows at once: the decision is made already, or the server holds the request until
    /// then.
    let isAskedAtOnce: Bool

    /// A code as a server describes it.
    init(_ deviceCode: DeviceCode, expiresIn: Int, interval: Int, isAskedAtOnce: Bool = false) {
        self.deviceCode = deviceCode
        self.expiresIn = expiresIn
        self.interval = interval
        self.isAskedAtOnce = isAskedAtOnce
    }
}

/// The limits of the polling machine, regardless of the server.
struct PollingRules: Sendable, Equatable {
    /// The time that each `slow_down` without a time adds to the interval. Standard: RFC 8628 §3.5.
    static let slowDown = Duration.seconds(5)
    /// The shortest interval, for servers that name an unreasonable one.
    static let shortestInterval = Duration.seconds(1)
    /// The longest accepted life of a code: 1 day.
    static let longestLifetime = Duration.seconds(86_400)
    /// The longest back-off when the network fails.
    static let longestBackOff = Duration.seconds(60)
    /// The shortest time that a request is held open, in seconds.
    static let shortestWait = 5

    /// The maximum number of times that an expired code is replaced by a new one.
    var renewals: Int
    /// The requested holding time of a request; `nil` to poll at intervals only.
    var wait: WaitPreference?

    /// Rules of an app.
    ///
    /// Standard: RFC 7240 §4.3 for `wait`.
    init(renewals: Int = 0, wait: WaitPreference? = nil) {
        self.renewals = max(0, renewals)
        self.wait = wait
    }
}

/// A code while it is valid, with the state of polling with it.
struct PollingCodes: Sendable, Equatable {
    /// The secret that the client polls with.
    let deviceCode: DeviceCode
    /// The instant of the code's expiry.
    let end: ContinuousClock.Instant
    /// The shortest time between two requests, at present.
    var interval: Duration
    /// The number of requests in a row that failed.
    var failures = 0 {
        didSet { if failures == 0 { lostAnswers = 0 } }
    }
    /// The number of answers in a row that were lost.
    private var lostAnswers = 0
    /// The requested holding time of the next request.
    var wait: WaitPreference?
    /// The number that the screen has to show; `nil` for none.
    var number: VerificationNumber?
    /// The newest mark of the link; `nil` if the link is unchanged.
    var link: LinkMark?
    /// Whether no request was made with it.
    var isUnpolled = true
    /// The number of times that the code may still be replaced.
    let renewalsLeft: Int
    /// Whether the first request follows at once.
    private let isAskedAtOnce: Bool

    init(_ code: AwaitedCode, received now: Moment, under rules: PollingRules, renewalsLeft: Int) throws(SignInError) {
        let lifetime = min(.seconds(code.expiresIn), PollingRules.longestLifetime)
        guard lifetime > .zero else { throw SignInError(.badAnswer, because: "the code is over on arrival") }
        interval = max(.seconds(code.interval), PollingRules.shortestInterval)
        guard interval < lifetime || code.isAskedAtOnce else {
            throw SignInError(.badAnswer, because: "the code is over before the first request is allowed")
        }
        deviceCode = code.deviceCode
        isAskedAtOnce = code.isAskedAtOnce
        end = now.instant + lifetime
        wait = rules.wait
        self.renewalsLeft = renewalsLeft
    }

    /// The time of the first request: after one interval, because a person who must first find the code does not decide
    /// sooner, and some servers count from the start.
    func firstRequest(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        isAskedAtOnce ? now : now + interval
    }

    /// The time of the next request while the person has not decided.
    ///
    /// After a request that the server held, at once; but a server that claims it and answers early is not asked more
    /// often than its interval allows.
    func nextRequest(
        since asked: ContinuousClock.Instant,
        held: Bool,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        held && wait != nil ? max(now, asked + interval) : now + interval
    }

    /// The time of the next request after one that came too early: the time that the server names; without one, the
    /// interval stays longer, and `Retry-After` counts if it is longer still.
    mutating func slowDown(
        retryIn: RetryAfter?,
        retryAfter: RetryAfter?,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        if let retryIn { return now + max(.seconds(retryIn.seconds), PollingRules.shortestInterval) }
        interval += PollingRules.slowDown
        return now + max(interval, .seconds(retryAfter?.seconds ?? 0))
    }

    /// The time that the next request is to be held; none after a failure, to learn soon whether the failure is over.
    var waitNow: WaitPreference? { failures == 0 ? wait : nil }

    /// Counts a failure. When long requests are interrupted, the following ones become shorter.
    mutating func fail(by temporaryFailure: TemporaryFailure) {
        let held = waitNow
        failures += 1
        lostAnswers = temporaryFailure == .interrupted ? lostAnswers + 1 : 0
        guard temporaryFailure == .interrupted, let seconds = held?.seconds else { return }
        wait = seconds / 2 < PollingRules.shortestWait ? nil : WaitPreference(seconds: seconds / 2)
    }

    /// The time of the next attempt after a failure: twice as long each time, but within the code's life if that is
    /// possible.
    ///
    /// The first repetition after a lost answer does not back off: it may have held the tokens, and the server answers
    /// the same code again for some seconds only. It still keeps the interval between two requests.
    func retry(
        after temporaryFailure: TemporaryFailure,
        since asked: ContinuousClock.Instant,
        retryAfter: RetryAfter?,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        if let retryAfter { return now + max(interval, .seconds(retryAfter.seconds)) }
        if temporaryFailure == .interrupted, lostAnswers == 1 {
            return max(now + PollingRules.shortestInterval, asked + interval)
        }
        let doubled = interval * (1 << min(failures, 10))
        let backedOff = now + max(interval, min(doubled, PollingRules.longestBackOff))
        guard backedOff >= end else { return backedOff }
        return max(now + interval, end - .seconds(1))
    }
}
