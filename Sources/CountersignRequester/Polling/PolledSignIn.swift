package import Countersign
package import CountersignTransport
package import CountersignWire

/// A sign-in that waits for a person by polling, as the steps of its machine alone: for a driver that has the time and
/// the network of many devices in one hand, such as a test.
///
/// An app uses ``SignIn``, which drives the same machine.
package struct PolledSignIn: Sendable, Equatable {
    /// The next action of a sign-in that was woken.
    package enum Wake: Sendable, Equatable {
        /// Send a token request, and name the number that the screen shows.
        case ask(showing: NumberPreference)
        /// It is too early: wake it again at this instant.
        case rest(until: ContinuousClock.Instant)
        /// The code has expired: the sign-in has ended.
        case expired
        /// A request is under way, or the sign-in has ended.
        case nothing
    }

    /// The outcome of one token request.
    package enum Outcome: Sendable, Equatable {
        /// Wake it again at this instant.
        case waits(until: ContinuousClock.Instant)
        /// The person approved: the sign-in has ended.
        case signedIn(TokenResponse)
        /// The sign-in has ended without tokens, for this reason.
        case failed(SignInError)
        /// No answer was expected.
        case nothing
    }

    private var machine: Polling<TokenResponse>

    /// Begins to wait for the decision about a code.
    ///
    /// - Parameters:
    ///   - code: The secret that the client polls with.
    ///   - expiresIn: The lifetime of the code, in seconds.
    ///   - interval: The shortest time between two requests, in seconds.
    ///   - now: The current time.
    /// - Throws: ``SignInError`` `bad_answer` when the server's numbers make no sense.
    package init(
        for code: DeviceCode,
        expiresIn: Int,
        interval: Int,
        at now: Moment
    ) throws(SignInError) {
        machine = try Polling(
            for: AwaitedCode(code, expiresIn: expiresIn, interval: interval), under: PollingRules(), at: now)
    }

    /// The number that the screen has to show; `nil` for none.
    package var number: VerificationNumber? { machine.number }

    /// Returns the next action; after ``Wake/ask(showing:)`` the sign-in waits for ``receive(_:at:)``.
    ///
    /// - Parameter now: The current time.
    package mutating func wake(at now: Moment) -> Wake {
        switch machine.wake(at: now) {
        case .ask: .ask(showing: NumberPreference(shown: machine.number))
        case .rest(let until): .rest(until: until)
        case .renew, .expired: .expired
        case .nothing: .nothing
        }
    }

    /// Takes in the outcome of the request that ``wake(at:)`` asked for.
    ///
    /// - Parameters:
    ///   - answer: The answer of the token endpoint, or the failure of the network.
    ///   - now: The current time.
    /// - Throws: ``SignInError`` `cancelled` when the request was cancelled.
    package mutating func receive(
        _ answer: Result<HTTPAnswer, TransportError>,
        at now: Moment
    ) throws(SignInError) -> Outcome {
        let result: PollResult<TokenResponse> =
            switch answer {
            case .success(let answer): PollResult(answer) { _ in nil }
            case .failure(let error): try PollResult(error)
            }
        return switch machine.receive(result, at: now) {
        case .rest(let until), .retry(after: _, let until): .waits(until: until)
        case .granted(let response): .signedIn(response)
        case .ended(let error): .failed(error)
        case .renew: .failed(SignInError(.expired, because: "the code has expired"))
        case .nothing: .nothing
        }
    }

    /// Ends the sign-in: it sends no further requests.
    package mutating func cancel() { machine.cancel() }
}
