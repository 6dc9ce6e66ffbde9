internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import CountersignWire
internal import ServiceLifecycle

/// The TV of the demo: it waits for its server, signs in, and stays on.
struct DemoTV: NamedService {
    let started: AsyncStream<Void>
    let issuer: Issuer
    let introduction: DemoIntroduction
    let phone: DemoPhone
    let directory: String
    let staysOn: Bool

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await _ in started {}
            guard !Task.isCancelled else {
                throw CommandError("Stopped before the TV was signed in.", status: .interrupted)
            }
            let display = Terminal.signInDisplay(looksNearby: true, noting: introduction.accountLines)
            var screen = SignInScreen(
                name: "Terminal TV", keepingTokensIn: SealedFileTokenStore(directory: directory))
            screen.nearby = phone.search
            introduction.say(nearby: screen.nearby != nil)
            var options = SignInOptions()
            options.renewals = 100
            options.codeDelay = .zero
            let signIn = SignIn(
                at: issuer,
                as: ClientIdentity(DemoAccounts.client),
                for: Scope([.openid, .profile]),
                on: screen,
                options: options
            )
            // Without a terminal there is no person to ask, and nothing is at stake.
            let confirmation = Confirmation(isGiven: !Terminal.givesInput, quiet: false)
            do {
                try await SigningIn(signIn: signIn, display: display, confirmation: confirmation)
                    .run(savingIn: directory)
            } catch let failure as CommandError where failure.status == .interrupted {
                throw failure
            } catch {
                await waitForOthers()
                throw error
            }
            guard staysOn else { return await waitForOthers() }
            Terminal.say("")
            Terminal.say("See where \(DemoAccounts.name) is signed in, and undo it within a minute: \(issuer)/account")
            Terminal.say("The server keeps running; press Ctrl-C to stop and remove everything.")
            await Task.untilCancelled()
        }
    }

    /// Waits for the browser to load the result page, and for the phone to receive the answer to its decision.
    private func waitForOthers() async {
        try? await Task.sleep(for: .seconds(2))
    }
}
