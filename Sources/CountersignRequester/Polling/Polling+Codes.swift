internal import Countersign
public import CountersignWire

extension Polling {
    /// What bounds the machine whatever a server says.
    public struct Rules: Sendable, Equatable {
        /// By how much each `slow_down` lengthens the interval. Standard: RFC 8628 §3.5.
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

    /// Why a pair of codes is of no use.
    public enum CodesRefused: Error, Sendable, Equatable {
        /// They are over on arrival.
        case noLifetime
        /// They would be over before the first request is allowed.
        case intervalTooLong
    }

    /// One pair of codes while it is alive.
    struct Codes: Sendable, Equatable {
        let deviceCode: DeviceCode
        /// The instant at which the code is over.
        let end: ContinuousClock.Instant
        var interval: Duration
        /// How many requests in a row failed.
        var failures = 0
        /// How long the server is asked to hold the next request.
        var wait: WaitPreference?
        let renewalsLeft: Int

        init(
            _ response: DeviceAuthorizationResponse,
            received now: Moment,
            under rules: Rules,
            renewalsLeft: Int
        ) throws(CodesRefused) {
            let lifetime = min(.seconds(response.expiresIn), Rules.longestLifetime)
            guard lifetime > .zero else { throw .noLifetime }
            interval = max(.seconds(response.interval), Rules.shortestInterval)
            guard interval < lifetime else { throw .intervalTooLong }
            deviceCode = response.deviceCode
            end = now.instant + lifetime
            wait = rules.wait
            self.renewalsLeft = renewalsLeft
        }

        /// Nobody decides within one interval, so the first request waits too: some servers count from the start.
        func firstRequest(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
            now + interval
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

        /// How long to have the next request held; not at all after a failure, to learn soon whether it has passed.
        var waitNow: WaitPreference? { failures == 0 ? wait : nil }

        /// Counts a failure; when something on the way seems to cut long requests, they become shorter.
        mutating func fail(by trouble: Trouble) {
            let held = waitNow
            failures += 1
            guard trouble == .interrupted, let seconds = held?.seconds else { return }
            wait = seconds / 2 < Rules.shortestWait ? nil : WaitPreference(seconds: seconds / 2)
        }

        /// When to try again after a failure: twice as long each time, but within the code's life if that is possible.
        func retry(
            after retryAfter: RetryAfter?,
            at now: ContinuousClock.Instant
        ) -> ContinuousClock.Instant {
            if let retryAfter { return now + max(interval, .seconds(retryAfter.seconds)) }
            let doubled = interval * (1 << min(failures, 10))
            let backedOff = now + max(interval, min(doubled, Rules.longestBackOff))
            guard backedOff >= end else { return backedOff }
            return max(now + interval, end - .seconds(1))
        }
    }
}
