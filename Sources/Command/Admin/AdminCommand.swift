internal import ArgumentParser
internal import Configuration
internal import CountersignServer

/// `countersign admin`: the commands of an operator, who may run them while the server runs.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: """
            Manage clients, services, people, groups, devices, limits, other providers, keys and tables, and read the \
            audit.
            """,
        discussion: """
            Works while the server runs, and takes effect within a second. Commands that cannot be undone ask first, or \
            take --yes.
            """,
        subcommands: [
            ClientCommand.self, RegistrationTokenCommand.self, DomainCommand.self, UserCommand.self, GroupCommand.self,
            ClaimCommand.self, DeviceCommand.self, MuteCommand.self, LimitCommand.self,
            ProviderCommand.self, CustomerSiteCommand.self, AppKeyCommand.self, KeyCommand.self, PinsCommand.self,
            AuditCommand.self, ExplainCommand.self, OutboxCommand.self, DeviceWebhookCommand.self,
            MigrateCommand.self,
            BackupCommand.self,
        ]
    )
}

/// A command of an operator, which ends with one output.
protocol AdminAction: OutputCommand {
    var admin: AdminOptions { get }
}

extension AdminAction {
    var json: Bool { admin.json }

    func run() async throws {
        try await ending {
            do {
                try await output().print(asJSON: json)
            } catch let missing as MissingNounError {
                // Without the names that exist, it is reported without a suggestion.
                let known = try? await admin.withStore { try await missing.names($0) }
                throw missing.failure(knowing: known ?? [])
            }
        }
    }
}

/// The options that every command of an operator has.
struct AdminOptions: ParsableArguments {
    @OptionGroup var storage: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    /// Opens the store, runs `act` on it, and closes it.
    ///
    /// - Parameter missing: The reaction when there is no database; see ``DatabaseCreation``.
    func withStore<Value>(
        whenMissing missing: MissingDatabase = .refuse,
        _ act: (any Store) async throws -> Value
    ) async throws -> Value {
        let settings = try storage.settings()
        if missing == .make, settings.string(forKey: "database") == nil {
            try DataLocation(settings).requireReadableByOwner()
        }
        let opened = try storage.open(by: settings, whenMissing: missing)
        if let made = opened.made, !json { Terminal.say("Made a new database in \(made).") }
        let value = try await act(opened.store)
        try await opened.close()
        return value
    }

    /// Opens the store, and reads from it; see ``Store/read(_:)``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value {
        try await withStore { try await $0.read(body) }
    }

    /// Opens the store, and makes one change; see ``Store/change(_:)``.
    func change<Value: Sendable>(
        whenMissing missing: MissingDatabase = .refuse,
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await withStore(whenMissing: missing) { try await $0.change(body) }
    }
}
