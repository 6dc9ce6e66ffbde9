internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SignIn {
    /// Shows codes and waits until somebody has decided: drives the polling machine.
    func tokens(through conversation: ServerConversation) async throws(SignInError) -> TokenResponse {
        var polling = try begin(with: try await codes(through: conversation))
        var announced = Announced()
        while true {
            announce(&announced, polling)
            switch polling.wake(at: clock.now()) {
            case .rest(let until):
                try await clock.rest(until: until)
            case .ask(let code, let wait):
                let answer = try await conversation.poll(code, holding: wait)
                let next = polling.receive(answer, at: clock.now())
                if let response = try await follow(next, &polling, &announced, through: conversation) {
                    return response
                }
            case .renew:
                try await renew(&polling, through: conversation)
                announced = Announced()
            case .expired:
                throw SignInError(.expired, because: "nobody decided in time")
            case .nothing:
                throw SignInError(.badAnswer, because: "waiting had ended")
            }
        }
    }

    /// Does what the machine wants after an answer; gives the tokens if they came.
    private func follow(
        _ next: Polling.Next,
        _ polling: inout Polling,
        _ announced: inout Announced,
        through conversation: ServerConversation
    ) async throws(SignInError) -> TokenResponse? {
        switch next {
        case .granted(let response):
            return response
        case .ended(let ending):
            throw SignInError(ending)
        case .retry(let trouble, let instant):
            announcer.announce(.trouble(trouble, retryingAt: clock.now().date(at: instant)))
            announced.trouble = true
        case .renew:
            try await renew(&polling, through: conversation)
            announced = Announced()
        case .rest, .nothing:
            if announced.trouble { announced = Announced() }
        }
        return nil
    }
}

extension SignIn {
    /// What the screen was told last of the time that is left.
    private struct Announced {
        /// Two readings of a deadline that differ by more than this, in seconds, show that the wall clock was set.
        static let tolerance: TimeInterval = 2

        var deadline: Date?
        var trouble = false
    }

    private func announce(_ announced: inout Announced, _ polling: Polling) {
        guard !announced.trouble, let deadline = polling.deadline(at: clock.now()) else { return }
        if let last = announced.deadline, abs(deadline.timeIntervalSince(last)) <= Announced.tolerance { return }
        announcer.announce(.waiting(until: deadline))
        announced.deadline = deadline
    }

    private func codes(
        through conversation: ServerConversation
    ) async throws(SignInError) -> DeviceAuthorizationResponse {
        let asked = DeviceAuthorizationRequest(
            scope: scope,
            deviceName: deviceName.flatMap { DeviceAuthorizationRequest.presentable($0) }
        )
        return try await persistence.attempt { () async throws(StepFailure) in try await conversation.codes(for: asked)
        }
    }

    private func begin(with response: DeviceAuthorizationResponse) throws(SignInError) -> Polling {
        let now = clock.now()
        let polling: Polling
        do throws(Polling.CodesRefused) {
            polling = try Polling(for: response, under: options.rules, at: now)
        } catch {
            throw SignInError(error)
        }
        try invite(by: response, polling, at: now)
        return polling
    }

    private func renew(_ polling: inout Polling, through conversation: ServerConversation) async throws(SignInError) {
        let response = try await codes(through: conversation)
        let now = clock.now()
        do throws(Polling.CodesRefused) {
            try polling.renew(with: response, at: now)
        } catch {
            throw SignInError(error)
        }
        try invite(by: response, polling, at: now)
    }

    private func invite(
        by response: DeviceAuthorizationResponse,
        _ polling: Polling,
        at now: Moment
    ) throws(SignInError) {
        guard let deadline = polling.deadline(at: now) else { return }
        let insecure = options.allowingInsecureHTTP
        announcer.announce(.invitation(try Invitation(response, until: deadline, allowingInsecureHTTP: insecure)))
    }
}
