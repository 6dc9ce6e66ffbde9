internal import Logging

/// A poll that is held at its connection.
struct ConnectionHeldPoll: FastPathWait {
    let held: HeldPoll
    let tokens: TokenService

    var end: ContinuousClock.Instant { held.end }
    var isPending: Bool { tokens.isStillPending(held) }

    func begin() -> ChangeWaiter? { held.begin() }
    func end(_ waiting: ChangeWaiter) { held.end(waiting) }

    func look(_ logger: Logger) async -> JSONResponse? {
        await tokens.look(at: held).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answer(after end: ChangeWaiter.End, _ logger: Logger) -> JSONResponse? {
        tokens.settled(held, after: end).map { TokenEndpoint.answer($0, logger: logger) }
    }

    func answerWithoutWaiting(_ logger: Logger) -> JSONResponse {
        TokenEndpoint.answer(TokenService.Settled(verdict: .pending(held.screen)), logger: logger)
    }
}
