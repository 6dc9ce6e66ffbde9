internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

extension AccountCommand {
    /// `countersign account app`
    struct App: OutputCommand {
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

        @Flag(help: "Forget what is kept for the provider.")
        var remove = false

        func output() async throws -> CommandOutput {
            let (accounts, id) = (storage.accounts(), AccountProviderID(provider))
            guard let kind = try await accounts.kind(of: id) else {
                throw CommandError.unknownProvider(provider, known: try await accounts.providers())
            }
            switch (client, remove) {
            case (nil, true):
                try await accounts.removeApp(at: id)
                return CommandOutput(words: "Nothing is kept for \(provider.shown) any more.")
            case (let client?, false) where !client.isEmpty:
                let secret = kind == .oauth1 ? try Add.line("Consumer secret: ") : nil
                try await accounts.keep(
                    SystemAccountApp(
                        at: id,
                        client: ClientID(client),
                        secret: secret.map { OAuth1Secret(revealing: $0) }
                    ))
                return CommandOutput(words: "This command is \(client.shown) at \(provider.shown) from now on.")
            default: throw CommandError.usage("Give the app's identifier, or --remove.")
            }
        }
    }

    /// `countersign account settings`
    struct Settings: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open the settings in which accounts of this system are added and signed in to again.",
            discussion: "On a desktop with GNOME they are opened; elsewhere you are told what to do."
        )

        @OptionGroup var storage: AccountStoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput {
            let settings = storage.systemAccounts().settings
            let isOpened = await settings.open()
            return CommandOutput(
                ["instruction": settings.instruction, "program": settings.program, "opened": isOpened],
                settings.instruction + (isOpened ? "\nThe settings of the desktop are open." : "")
            )
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
