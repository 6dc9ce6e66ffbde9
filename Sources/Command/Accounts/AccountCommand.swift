internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// `countersign account`: the accounts that this system holds for apps.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add, list and remove the accounts of this system, and see which apps may use them.",
        discussion: """
            Apps of this user sign in with these accounts without a password. Each app asks once; the answer is \
            remembered. 'account allow' lets an app in that was refused, 'account forget' takes an answer back. \
            'account app' says once what this command is called at a provider. Everything is kept in a sealed file that \
            only you can read.
            """,
        subcommands: [Add.self, List.self, Remove.self, Allow.self, Forget.self, App.self, Settings.self, Demo.self]
    )
}

/// The directory of the accounts.
struct AccountStoreOptions: ParsableArguments {
    @Option(
        name: .customLong("accounts"),
        help: ArgumentHelp(
            "The directory for the accounts. (default: $XDG_DATA_HOME/countersign/accounts)", valueName: "directory")
    )
    var directory: String?

    /// The accounts that were added here.
    ///
    /// - Parameter question: Asks the person whether an app may use them; at this terminal by default.
    func accounts(asking question: @escaping SystemAccountQuestion = AccountStoreOptions.ask) -> StoredAccounts {
        StoredAccounts(in: store, clock: .system, drawingFrom: .system, asking: question)
    }

    /// The same, with those of the desktop where there is one.
    func systemAccounts(asking question: @escaping SystemAccountQuestion = AccountStoreOptions.ask)
        -> any SystemAccountStore
    {
        #if SecretService && os(Linux)
        CombinedAccounts(accounts(asking: question), desktopAccounts(within: .seconds(15), asking: question))
        #else
        accounts(asking: question)
        #endif
    }

    #if SecretService && os(Linux)
    private func desktopAccounts(
        within limit: Duration,
        asking question: @escaping SystemAccountQuestion = AccountStoreOptions.ask
    ) -> GNOMEOnlineAccounts {
        GNOMEOnlineAccounts(
            rememberingAnswersIn: store, within: limit, clock: .system, drawingFrom: .system, asking: question)
    }
    #endif

    /// The accounts of the desktop; none where there is no such desktop.
    ///
    /// - Throws: ``SystemAccountStoreError`` when it cannot be queried.
    func accountsOfDesktop() async throws(SystemAccountStoreError) -> [AccountEntry] {
        #if SecretService && os(Linux)
        do throws(SystemAccountStoreError) {
            return try await desktopAccounts(within: .seconds(5)).accounts().map {
                AccountEntry($0.account, isOfDesktop: true, isSignedOut: $0.needsSignIn, isTemporary: $0.isTemporary)
            }
        } catch  where error.code == .unsupported {
            return []
        }
        #else
        return []
        #endif
    }

    private var store: SealedFileTokenStore {
        let path = directory ?? StoreOptions.defaultDirectory.appendingPathComponent("accounts").path
        return SealedFileTokenStore(directory: path, group: StoredAccounts.group)
    }

    /// Asks the person at this terminal whether an app may use the accounts.
    static let ask: SystemAccountQuestion = { access, accounts in
        let rights = access.permissions.isEmpty ? "" : " It wants: \(access.permissions.joined(separator: ", "))."
        let names = accounts.map { $0.name.shown }.joined(separator: ", ")
        return await TypedLines.standard.agrees(
            to: "May \((access.appName ?? access.app.rawValue).shown) use \(names)?\(rights.shown) [yes/no] ")
    }
}

extension AccountCommand {
    /// `countersign account remove`
    struct Remove: OutputCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an account.")

        @OptionGroup var storage: AccountStoreOptions

        @Argument(help: "Whose account it is.")
        var provider: String

        @Argument(help: "The name of the account.")
        var name: String

        func output() async throws -> CommandOutput {
            let accounts = storage.accounts()
            let id = SystemAccount.ID(name)
            guard try await accounts.accounts().contains(where: { $0.provider.rawValue == provider && $0.id == id })
            else { throw CommandError("There is no such account: \(name.shown).") }
            try await accounts.remove(id, of: AccountProviderID(provider))
            return CommandOutput(words: "Removed \(name.shown).")
        }
    }

    /// `countersign account allow`
    struct Allow: OutputCommand {
        static let configuration = CommandConfiguration(abstract: "Allow an app that was refused what it asked for.")

        @OptionGroup var target: AppAtProviderOptions

        func output() async throws -> CommandOutput {
            let (app, provider) = (target.app, target.provider)
            let rights = try await target.storage.accounts().allow(ClientID(app), at: AccountProviderID(provider))
            guard let rights else {
                throw CommandError("\(app.shown) has not asked for accounts of \(provider.shown) yet.")
            }
            let with = rights.isEmpty ? "" : ", with: \(rights.joined(separator: ", ").shown)"
            return CommandOutput(words: "\(app.shown) may use \(provider.shown)\(with).")
        }
    }

    /// `countersign account forget`
    struct Forget: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what was answered to an app, which asks again the next time.")

        @OptionGroup var target: AppAtProviderOptions

        func output() async throws -> CommandOutput {
            let (app, provider) = (ClientID(target.app), AccountProviderID(target.provider))
            try await target.storage.accounts().forgetPermission(of: app, at: provider)
            return CommandOutput(words: "\(target.app.shown) asks again.")
        }
    }
}

/// The app and the provider that a command is about, and the directory of the accounts.
struct AppAtProviderOptions: ParsableArguments {
    @OptionGroup var storage: AccountStoreOptions

    @Argument(help: "Whose accounts.")
    var provider: String

    @Argument(help: "The app's identifier at the provider.")
    var app: String
}

extension CommandError {
    /// A problem with an account, which says what to try.
    init(_ problem: AccountError) {
        let status: ExitStatus =
            switch problem.code {
            case .accessNotGranted, .choiceCancelled: .denied
            case .networkFailure: .notReached
            case .serviceFailure, .accountSuspended, .accountLocked, .newSignInNeeded, .tokenRefused: .refused
            case .unconfigured, .unsupportedProvider: .usage
            case .noAccount, .storeFailure, .alreadyPerformed, .wrongTime: .failed
            case .cancelled: .interrupted
            }
        self.init(problem.sentence, status: status)
    }
}
