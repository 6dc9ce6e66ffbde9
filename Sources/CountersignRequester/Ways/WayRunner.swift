internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// Runs the ways of a request as its schedule says: starts them, notes their ends, and ends them with the request.
struct WayRunner: Sendable {
    /// The events of the schedule.
    private enum Input: Sendable {
        /// There is a new code; the wait of its caller ends with the continuation.
        case opened(DeviceAuthorizationResponse, AsyncStream<Never>.Continuation)
        /// A way has ended without a decision.
        case ended(SignInWay, SignInError)
        /// The delay of the code is over.
        case wake
        /// The person denied the request, perhaps in the browser of this device.
        case denied
    }

    /// The time for the browser to come back from a denial, after the server was quicker: without it, the page says that
    /// nothing answers here.
    private static let lastReturn = Duration.seconds(3)

    /// The tasks of one code.
    private struct Running {
        var tasks: [Task<Void, Never>] = []
        var nearby: NearbyWay?
        /// The visit to the page in the browser of this device.
        var visit: Task<Void, Never>?
        /// Whether the person denied the request.
        var isDenied = false

        /// Ends them. After a decision, phones nearby have a moment for their last word, and after a denial the browser
        /// to come back.
        func end(afterDecision isDecided: Bool, by clock: TimeSource) async {
            if isDecided { await nearby?.awaitLastWord() }
            if isDenied, let visit { await Self.wait(for: visit, by: clock) }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }

        /// Waits until the browser has come back, or the time for it is over.
        private static func wait(for visit: Task<Void, Never>, by clock: TimeSource) async {
            let timer = Task {
                guard (try? await clock.sleep(until: clock.instant() + WayRunner.lastReturn)) != nil else { return }
                visit.cancel()
            }
            await withTaskCancellationHandler {
                await visit.value
            } onCancel: {
                visit.cancel()
            }
            timer.cancel()
            await timer.value
        }
    }

    let browser: PreparedBrowser?
    private let drive: WayDrive
    private let schedule: WaySchedule
    /// The reason that the browser cannot be used, if the app wanted it.
    private let reason: SignInError?
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation

    init(drive: WayDrive, schedule: WaySchedule, browser: PreparedBrowser?, reason: SignInError?) {
        self.drive = drive
        self.schedule = schedule
        self.browser = browser
        self.reason = reason
        (inputs, input) = AsyncStream.makeStream(of: Input.self)
    }

    /// Starts the ways of a new code, in place of those of the one before; returns once they are started.
    func open(_ response: DeviceAuthorizationResponse) async {
        let (handling, handled) = AsyncStream.makeStream(of: Never.self)
        guard case .enqueued = input.yield(.opened(response, handled)) else { return }
        for await _ in handling {}
    }

    /// Ends the ways, because the request was decided.
    func finish(afterDenial isDenied: Bool = false) {
        if isDenied { input.yield(.denied) }
        input.finish()
    }

    /// Runs until ``finish()`` or the task is cancelled; returns the reason when no way is left.
    func run() async -> SignInError? {
        var schedule = schedule
        var running = Running()
        var last = reason
        let clock = drive.run.client.context.clock
        defer { input.finish() }
        for await event in inputs {
            var step = WaySchedule.Step.wait
            switch event {
            case .opened(let response, let handled):
                await running.end(afterDecision: false, by: clock)
                running = Running()
                if response.isRemembered == false {
                    let error = SignInError(.notRemembered, because: "the server does not remember the person")
                    last = error
                    drive.run.reporter.report(.ended(.push, error))
                }
                if let error = SignInError(notAskingBy: response, of: schedule.ways, under: drive.run.options) {
                    last = error
                    drive.run.reporter.report(.ended(.push, error))
                }
                step = schedule.open(allowing: allowed(by: response), at: clock.instant())
                if step == .fail, last == nil {
                    last = SignInError(
                        choosing: schedule.ways, against: response, on: drive.run.screen.ways,
                        returningTo: browser?.expected.redirectURI)
                }
                start(step, of: response, in: &running)
                if let instant = schedule.codeAt { running.tasks.append(wake(at: instant)) }
                handled.finish()
            case .ended(let way, let error):
                last = error
                drive.run.reporter.report(.ended(way, error))
                step = schedule.end(way)
                start(step, of: nil, in: &running)
            case .wake:
                step = schedule.wake(at: clock.instant())
                start(step, of: nil, in: &running)
            case .denied: running.isDenied = true
            }
            if step == .fail {
                await running.end(afterDecision: false, by: clock)
                return last ?? SignInError(.flowNotOffered, because: "the server allows none of the ways")
            }
        }
        await running.end(afterDecision: !Task.isCancelled, by: clock)
        return nil
    }

    /// The ways that the server allows; the code alone at one that names none.
    private func allowed(by response: DeviceAuthorizationResponse) -> Set<SignInWay> {
        var allowed = response.ways ?? [.code]
        if browser == nil || response.browserURI == nil { allowed.remove(.browser) }
        return allowed
    }

    private func start(
        _ step: WaySchedule.Step,
        of response: DeviceAuthorizationResponse?,
        in running: inout Running
    ) {
        guard case .start(let ways) = step else { return }
        for way in SignInWay.allCases where ways.contains(way) {
            switch way {
            case .code: showCode()
            case .push:
                drive.code.withLockedValue { $0.isPushed = true }
                drive.run.reporter.report(.began(.push))
            case .browser:
                guard let browser, let address = response?.browserURI else { continue }
                drive.run.reporter.report(.began(.browser))
                let task = Task { await visit(browser, at: address) }
                running.visit = task
                running.tasks.append(task)
            case .nearby:
                drive.run.reporter.report(.began(.nearby))
                let search = drive.run.screen.nearby.flatMap { search in
                    NearbyWay(
                        search, for: drive.links, reportingTo: drive.run.reporter, by: drive.run.client.context.clock)
                }
                running.nearby = search
                running.tasks.append(Task { await look(search) })
            }
        }
    }

    private func showCode() {
        let invitation = drive.code.withLockedValue { code in
            code.isShown = true
            return code.invitation
        }
        if drive.run.options.personCode != nil {
            drive.run.reporter.report(.codeAccepted)
        } else if let invitation {
            drive.run.reporter.report(.invitation(invitation))
        }
    }

    private func wake(at instant: ContinuousClock.Instant) -> Task<Void, Never> {
        Task {
            guard (try? await drive.run.client.context.clock.sleep(until: instant)) != nil else { return }
            input.yield(.wake)
        }
    }

    /// Looks for phones nearby.
    private func look(_ search: NearbyWay?) async {
        guard let search else {
            return end(.nearby, SignInError(.badAnswer, because: "the code does not fit into a link"))
        }
        if let error = await search.run() { end(.nearby, error) }
    }

    /// Opens the page, and names the link that the browser brings back.
    private func visit(_ browser: PreparedBrowser, at address: String) async {
        let insecure = drive.run.options.allowingInsecureHTTP
        guard let page = try? Endpoint(address, named: "countersign_browser_uri", allowingInsecureHTTP: insecure) else {
            return end(.browser, SignInError(.badAnswer, because: "countersign_browser_uri is no address to open"))
        }
        guard let place = await browser.visit.open(page.url) else {
            return end(.browser, SignInError(.browserNotOpened, because: "nothing opens addresses here"))
        }
        drive.run.reporter.report(.opened(page.url, in: place))
        for await address in browser.visit.returns {
            switch browser.expected.answer(in: address) {
            case .approved(over: let link): return drive.links.add(link)
            case .refused(let code):
                let error = OAuthError(saying: code.rawValue, nil)
                return end(.browser, SignInError(OAuthErrorResponse(error)))
            case nil: continue
            }
        }
        guard !Task.isCancelled else { return }
        end(.browser, SignInError(.cancelled, because: "the page was closed"))
    }

    private func end(_ way: SignInWay, _ error: SignInError) { input.yield(.ended(way, error)) }
}
