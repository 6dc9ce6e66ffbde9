internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Performs a polling machine's actions: gets a code and shows it, waits, polls, and reports events.
struct PollingDrive<Granted: Sendable & Equatable>: Sendable {
    /// The machine that decides the actions.
    typealias Machine = Polling<Granted>

    /// A code that a server issued.
    struct IssuedCode: Sendable {
        /// The code and its times.
        let code: AwaitedCode
        /// Shows the page for the decision, and its expiry; returns the shown link, if any.
        let show: @Sendable (_ deadline: Date) async throws(SignInError) -> URL?
    }

    /// The limits of polling.
    let rules: PollingRules
    /// The source of time.
    let clock: TimeSource
    /// Reports an event to the screen.
    let announce: @Sendable (SignInEvent) async -> Void
    /// Requests a code.
    let start: @Sendable () async throws(SignInError) -> IssuedCode
    /// Sends one token request, which contains the number on the screen.
    let ask: @Sendable (DeviceCode, WaitPreference?, NumberPreference) async throws(SignInError) -> PollResult<Granted>
    /// Returns once a person who may decide in a moment has the code; `nil` when there is no such signal.
    var hint: (@Sendable () async -> Void)?

    /// Waits until a person has decided, and returns the grant.
    ///
    /// - Throws: ``SignInError``, also when the task is cancelled.
    func run() async throws(SignInError) -> Granted {
        var (polling, link) = try await machine(replacing: nil)
        var announced = LastAnnouncement(link: link)
        while true {
            await tell(&announced, of: polling)
            switch polling.wake(at: clock.moment()) {
            case .rest(let until):
                try await rest(until: until, &polling)
            case .ask(let code, let wait):
                let result = try await ask(code, wait, NumberPreference(shown: polling.number))
                let next = polling.receive(result, at: clock.moment())
                if let granted = try await follow(next, &polling, &announced) { return granted }
            case .renew:
                try await renew(&polling, &announced)
            case .expired:
                throw SignInError(.expired, because: "nobody decided in time")
            case .nothing:
                throw SignInError(.badAnswer, because: "waiting had ended")
            }
        }
    }

    /// Waits; before the first request no longer than until the hint comes.
    private func rest(until instant: ContinuousClock.Instant, _ polling: inout Machine) async throws(SignInError) {
        guard polling.canHasten, let hint else { return try await clock.rest(until: instant) }
        let clock = clock
        let wasHastened = await withTaskGroup(of: Result<Bool, SignInError>.self) { group in
            group.addTask {
                await Result { () async throws(SignInError) in
                    try await clock.rest(until: instant)
                    return false
                }
            }
            group.addTask {
                await hint()
                guard !Task.isCancelled else { return .failure(.taskCancelled) }
                return .success(true)
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        if try wasHastened?.get() == true { polling.hasten(at: clock.moment()) }
    }

    /// Performs the machine's actions after an answer, and returns the grant if any.
    private func follow(
        _ next: Machine.Next,
        _ polling: inout Machine,
        _ announced: inout LastAnnouncement
    ) async throws(SignInError) -> Granted? {
        switch next {
        case .granted(let granted):
            return granted
        case .ended(let error):
            throw error
        case .retry(let temporaryFailure, let instant):
            await announce(.temporaryFailure(temporaryFailure, retryingAt: clock.moment().date(at: instant)))
            announced.temporaryFailure = true
        case .renew:
            try await renew(&polling, &announced)
        case .rest, .nothing:
            if announced.temporaryFailure {
                announced = LastAnnouncement(number: announced.number, link: announced.link)
            }
        }
        return nil
    }

    /// Gets a new code in place of one that expired, and shows it.
    private func renew(_ polling: inout Machine, _ announced: inout LastAnnouncement) async throws(SignInError) {
        let link: URL?
        (polling, link) = try await machine(replacing: polling)
        announced = LastAnnouncement(number: announced.number, link: link)
    }

    /// Requests a code and shows it; returns the machine that waits for it, and the link that is shown.
    private func machine(replacing earlier: Machine?) async throws(SignInError) -> (Machine, URL?) {
        let started = try await start()
        let now = clock.moment()
        var polling: Machine
        if let earlier {
            polling = earlier
            try polling.renew(with: started.code, at: now)
        } else {
            polling = try Machine(for: started.code, under: rules, at: now)
        }
        guard let deadline = polling.deadline(at: now) else { return (polling, nil) }
        return (polling, try await started.show(deadline))
    }

    /// Updates the code's expiry on the screen, when it is new or the wall clock was set.
    private func tell(_ announced: inout LastAnnouncement, of polling: Machine) async {
        if polling.number != announced.number {
            announced.number = polling.number
            await announce(.verificationNumber(polling.number))
        }
        if let link = announced.link?.marked(polling.link), link != announced.link {
            announced.link = link
            await announce(.link(link))
        }
        guard !announced.temporaryFailure, let deadline = polling.deadline(at: clock.moment()) else { return }
        if let last = announced.deadline, abs(deadline.timeIntervalSince(last)) <= LastAnnouncement.tolerance { return }
        await announce(.waiting(until: deadline))
        announced.deadline = deadline
    }
}

/// The last report about the remaining time.
private struct LastAnnouncement {
    /// Two readings of a deadline that differ by more than this, in seconds, show that the wall clock was set.
    static let tolerance: TimeInterval = 2

    /// The deadline that was reported last.
    var deadline: Date?
    /// Whether a failure was reported last.
    var temporaryFailure = false
    /// The number that was reported last.
    var number: VerificationNumber?
    /// The link that is shown; `nil` for none.
    var link: URL?
}
