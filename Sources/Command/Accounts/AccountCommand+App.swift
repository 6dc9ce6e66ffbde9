internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

extension AccountCommand {
    /// `countersign account app`
    struct App: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say once what this command is called at a provider, for every 'signin --account'.",
            discussion: """
                For twitter and providers like it, the secret is read from standard input, a line. --client and \
                --secret-file of a sign-in count before what is kept here.
                """
        )

        @OptionGroup var storage: AccountStoreOptions

        @Argument(help: "The provider: twitter, facebook, or a provider of your own.")
        var provider: String

        @Argument(help: "The app's identifier at the provider.")
        var client: String?

        @Flag(name: .long, help: "Forget what is kept for the provider.")
        var remove = false

        func run() async throws {
            try await ending {
                let (accounts, id) = (storage.accounts(), AccountProviderID(provider))
                guard let kind = try await accounts.kind(of: id) else {
                    throw Failure.unknownProvider(provider, known: try await accounts.providers())
                }
                switch (client, remove) {
                case (nil, true):
                    try await accounts.removeApp(at: id)
                    Terminal.say("Nothing is kept for \(provider.shown) any more.")
                case (let client?, false) where !client.isEmpty:
                    let secret = kind == .oauth1 ? try Add.line("Consumer secret: ") : nil
                    try await accounts.keep(
                        SystemAccountApp(
                            at: id,
                            client: ClientID(client),
                            secret: secret.map { OAuth1Secret(revealing: $0) }
                        ))
                    Terminal.say("This command is \(client.shown) at \(provider.shown) from now on.")
                default: throw Failure("Give the app's identifier, or --remove.", status: .usage)
                }
            }
        }
    }

    /// `countersign account settings`
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open the settings in which accounts of this system are added and signed in to again.",
            discussion: "On a desktop with GNOME they are opened; elsewhere you are told what to do."
        )

        @OptionGroup var storage: AccountStoreOptions

        @Flag(name: .long, help: "Print JSON.")
        var json = false

        func run() async throws {
            try await ending {
                let settings = storage.systemAccounts().settings
                let isOpened = await settings.open()
                if json {
                    return try Terminal.sayJSON(
                        Shown(instruction: settings.instruction, program: settings.program, opened: isOpened))
                }
                Terminal.say(settings.instruction)
                if isOpened { Terminal.say("The settings of the desktop are open.") }
            }
        }

        private struct Shown: Encodable {
            let instruction: String
            let program: [String]
            let opened: Bool
        }
    }
}

extension SystemAccountSettings {
    /// Opens the settings by the program that the system has for them; returns whether one was opened.
    fileprivate func open() async -> Bool {
        #if os(Linux)
        await DesktopOpener().start(program)
        #else
        false
        #endif
    }
}
