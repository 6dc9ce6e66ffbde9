internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// Makes the request at the server, polls it, and meanwhile runs the ways to its person, as a ``WaySchedule`` says.
struct WayDrive: Sendable {
    /// The code, as far as a screen may show it already.
    struct CodeOnScreen: Sendable {
        var invitation: Invitation?
        var isShown = false
        /// Whether the person is asked by push, who may decide in a moment.
        var isPushed = false
        /// The server's answer with the code.
        var response: DeviceAuthorizationResponse?
    }

    /// The first thing that happened.
    private enum Outcome: Sendable {
        /// The server gave its decision, or polling failed.
        case polled(Result<TokenResponse, SignInError>)
        /// No way is left, for this reason; `nil` once the ways were ended.
        case waysEnded(SignInError?)
    }

    private typealias Decided = (result: Result<TokenResponse, SignInError>, isDecided: Bool)

    let run: SignInRun
    let conversation: ServerConversation
    let links = SignInLinks()
    let code = NIOLockedValueBox(CodeOnScreen())

    init(of run: SignInRun, through conversation: ServerConversation) {
        self.run = run
        self.conversation = conversation
    }

    /// Waits until a person has decided, and returns the tokens. Without a decision of the server the request is withdrawn.
    func tokens(along schedule: WaySchedule) async throws(SignInError) -> TokenResponse {
        var browser: PreparedBrowser?
        var unprepared: SignInError?
        if schedule.ways.contains(.browser), let screen = run.screen.browser {
            do throws(SignInError) {
                browser = try await PreparedBrowser(
                    screen, expecting: conversation.server.issuer, drawingFrom: run.client.context.random)
            } catch {
                unprepared = error
                run.reporter.report(.ended(.browser, error))
            }
        }
        let runner = WayRunner(
            drive: self, schedule: schedule, browser: browser, reason: unprepared)
        let result = await self.result(polling: runner, for: schedule.ways)
        await browser?.visit.end()
        return try result.get()
    }

    private func result(
        polling runner: WayRunner,
        for ways: Set<SignInWay>
    ) async -> Result<TokenResponse, SignInError> {
        let drive = polling(for: ways, by: runner)
        let decided = await withTaskGroup(of: Outcome.self) { group -> Decided in
            group.addTask {
                .polled(await Result { () async throws(SignInError) -> TokenResponse in try await drive.run() })
            }
            group.addTask { .waysEnded(await runner.run()) }
            // The first failure counts; tokens count whenever they came.
            var decided: Decided?
            while let outcome = await group.next() {
                switch outcome {
                case .polled(.success(let response)):
                    decided = (.success(response), true)
                    runner.finish()
                case .polled(.failure(let error)):
                    let isDecided = error.code == .denied || error.code == .expired
                    decided = decided ?? (.failure(error), isDecided)
                    // After a decision the ways end in good order: a phone nearby may have a last word.
                    if isDecided { runner.finish(afterDenial: error.code == .denied) } else { group.cancelAll() }
                case .waysEnded(let error?):
                    decided = decided ?? (.failure(error), false)
                    group.cancelAll()
                case .waysEnded(nil): break
                }
            }
            return decided ?? (.failure(.taskCancelled), false)
        }
        if !decided.isDecided, let response = code.withLockedValue(\.response), response.ways != nil {
            await conversation.giveUp(response.deviceCode)
        }
        return decided.result
    }

    /// The polling of the request, which begins it, too.
    private func polling(for ways: Set<SignInWay>, by runner: WayRunner) -> PollingDrive<TokenResponse> {
        let namesLinks = !ways.isDisjoint(with: [.nearby, .browser])
        return PollingDrive<TokenResponse>(
            rules: run.options.rules,
            clock: run.client.context.clock,
            announce: { announce($0) },
            start: { () async throws(SignInError) in
                let response = try await codes(for: ways, by: runner)
                return PollingDrive.IssuedCode(code: response.awaited) { deadline throws(SignInError) in
                    let invitation = try Invitation(
                        response, until: deadline, allowingInsecureHTTP: run.options.allowingInsecureHTTP)
                    code.withLockedValue { $0.invitation = invitation }
                    await runner.open(response)
                    return invitation.verificationURIComplete
                }
            },
            ask: { code, wait, number throws(SignInError) in
                guard namesLinks else { return try await conversation.poll(code, holding: wait, showing: number) }
                return try await conversation.poll(code, holding: wait, showing: number, naming: links)
            },
            hint: {
                guard !code.withLockedValue(\.isPushed) else { return }
                await links.change(since: NearbyLinks())
            }
        )
    }

    /// Reports an event of polling; a link waits for its code to be shown.
    private func announce(_ event: SignInEvent) {
        guard case .link(let link) = event else { return run.reporter.report(event) }
        let isShown = code.withLockedValue { code in
            code.invitation = code.invitation?.linked(by: link)
            return code.isShown
        }
        if isShown { run.reporter.report(event) }
    }

    /// Asks the server for a pair of codes. The browser's way back and the remembered person are named the first time
    /// only: with a further code neither is asked again.
    private func codes(
        for ways: Set<SignInWay>,
        by runner: WayRunner
    ) async throws(SignInError) -> DeviceAuthorizationResponse {
        let challenge = links.begin(drawingFrom: run.client.context.random)
        let isFirst = code.withLockedValue { $0.response == nil }
        var asked = DeviceAuthorizationRequest(
            scope: run.scope,
            deviceName: run.screen.name.flatMap { DeviceAuthorizationRequest.presentable($0) },
            nearbyChallenge: ways.contains(.nearby) ? challenge : nil
        )
        if isFirst {
            asked.browserReturn = runner.browser?.way
            if ways.contains(.push) { asked.rememberedPerson = run.screen.rememberedPerson?.hint }
        }
        asked.acrValues = run.client.options.acrValues
        asked.maxAge = run.client.options.maxAge
        asked.personCode = run.client.options.personCode
        asked.service = run.client.options.service
        let request = asked
        let response = try await run.client.retrier.attempt { () async throws(StepError) in
            try await conversation.codes(for: request)
        }
        if response.isRemembered == false { await run.forgetRememberedPerson() }
        links.began(at: run.issuer, with: response.userCode)
        if code.withLockedValue(\.isPushed) {
            run.reporter.report(.ended(.push, SignInError(.expired, because: "nobody answered on a device in time")))
        }
        run.reporter.beginCode()
        code.withLockedValue { $0 = CodeOnScreen(response: response) }
        return response
    }
}
