internal import Countersign
internal import CountersignWire

extension TokenService {
    /// The step for a pending poll, when everything that it needs is in memory.
    ///
    /// Returns `nil` for every other request; then nothing was counted, and the caller uses ``step(for:)``. Otherwise
    /// the request was decided by the same steps as there. Only the order differs: it is counted after everything was
    /// found in memory, because what is not is counted on the other path.
    func quickStep(for request: ParsedRequest) -> TokenStep? {
        // A signed statement is used up, which is written.
        guard case .success(let asked) = request.request, let code = Poll.Code(of: asked),
            request.credentials.assertion == nil
        else { return nil }
        let found = try? core.store.lookUp { repositories -> (Poll, PendingRequest)? in
            let client = try clients.authentication.proved(request.credentials, in: repositories)
            let poll = Poll(code, request, by: client, in: .oauth2)
            try poll.authorize()
            return try polled.pending(poll, in: repositories).map { (poll, $0) }
        }
        guard case let (poll, pending)?? = found else { return nil }
        do {
            try clients.admitTokenRequest(of: poll.client, from: request.address)
        } catch {
            return .done(.refused(error))
        }
        return step(for: poll, pending, waiting: request.wait)
    }

    /// Answers a pending poll, holds it, or refuses it if it came too early. Notes when it came.
    func step(for poll: Poll, _ pending: PendingRequest, waiting preference: WaitPreference?) -> TokenStep {
        let wait = preference.flatMap { WaitPreference(seconds: min($0.seconds, tokens.longestWait)) }
        // A client that lost a held request asks again at once, and that ends the lost one.
        if wait == nil || !tokens.waits.isAwaited(.signIn(pending.id)) {
            let now = core.clock.now()
            // Cross-Platform Authentication tells the client when its next poll is due; an early poll does not postpone
            // it.
            if poll.dialect.domain != nil {
                if let seconds = tokens.polls.secondsToNext(pending.id, interval: pending.interval, at: now) {
                    return .done(.refused(Self.slowDown(pending, retryIn: seconds)))
                }
            } else if tokens.polls.isTooFast(pending.id, interval: pending.interval, at: now) {
                return .later { [self] in await slowDown(pending) }
            }
        }
        // A screen that shows another number has to be told at once.
        guard let wait, !pending.awaitsLink, poll.shows(pending.number) else { return .done(.pending(pending)) }
        return .hold(HeldPoll(poll, pending, wait, by: self))
    }

    /// Lengthens the interval of a request by five seconds because a poll came too early.
    ///
    /// Standard: RFC 8628 §3.5.
    @inline(never)
    private func slowDown(_ pending: PendingRequest) async -> TokenResult {
        do {
            try await core.store.change { repositories in
                // The interval need not grow beyond the life of a code.
                guard var again = try repositories.exchanges.find(pending.id), again.interval < 3600 else { return }
                again.interval += 5
                try repositories.exchanges.update(again)
            }
            return .refused(Self.slowDown(pending, retryIn: pending.interval + 5))
        } catch {
            return .refused(error)
        }
    }

    private static func slowDown(_ pending: PendingRequest, retryIn seconds: Int) -> PollError {
        PollError(.slowDown(retryIn: seconds), because: "polled faster than every \(pending.interval) s")
    }

    /// Redeems the code of a client that polls, if its request was approved.
    ///
    /// - Throws: ``OAuthError`` for a client that is not registered for it; ``StoreUnavailableError``.
    func redeem(_ poll: Poll) async throws -> TokenResult {
        let result = try await clients.withRegistration(of: poll.client) { client in
            var poll = poll
            poll.client = client
            try poll.authorize()
            return try await polled.redeem(poll)
        }
        if case .issued = result { core.metrics.tokensIssued(poll.grantType) }
        guard case .refused(let error) = result else { return result }
        return await refusal(error, from: poll.address)
    }
}
