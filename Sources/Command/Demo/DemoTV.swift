internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import CountersignWire
internal import ServiceLifecycle

/// The TV of the demo: it waits for its server, signs in, and stays on.
struct DemoTV: NamedService {
    let started: AsyncStream<Void>
    let issuer: Issuer
    let phone: DemoPhone
    let desk: DemoBackchannelClient
    let directory: String
    let staysOn: Bool

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await _ in started {}
            guard !Task.isCancelled else {
                throw CommandError("Stopped before the TV was signed in.", status: .interrupted)
            }
            let display: any SignInDisplay =
                if Terminal.redraws { LiveDisplay(showsTokens: false, looksNearby: true) } else {
                    PlainDisplay(showsTokens: false)
                }
            var screen = SignInScreen(
                name: "Terminal TV", keepingTokensIn: SealedFileTokenStore(directory: directory))
            screen.nearby = phone.search
            introduce(nearby: screen.nearby != nil)
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

    private func introduce(nearby: Bool) {
        Terminal.say(
            """
            This is a TV that wants to be signed in, and a server for it at \(issuer).

            1. Open the link or scan the QR code below (on this machine: a phone cannot reach 127.0.0.1).
            2. Sign in there as \(DemoAccounts.username) with the password \(DemoAccounts.password).
            3. Compare the code, look at who asks, and approve.
            """
        )
        if nearby {
            Terminal.say(
                """

                Or be the phone of \(DemoAccounts.name), which this TV finds by itself: in another terminal, type

                  \(phone.line.indented)
                """
            )
        }
        Terminal.say(
            """

            Or let a desk ask \(DemoAccounts.name) by name, and answer as her authenticator: in two other terminals, type

              \(desk.authenticatorLines(of: phone).indented)

              \(desk.askingLine.indented)
            """
        )
    }
}

extension String {
    /// The text with all lines indented like the first one.
    fileprivate var indented: String { replacing("\n", with: "\n  ") }
}
