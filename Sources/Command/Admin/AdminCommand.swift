internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin`: the commands of an operator, who may run them while the server runs.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manage clients, services, people, other providers, keys and tables, and read the audit.",
        discussion: "Works while the server runs, and takes effect within a second.",
        subcommands: [
            ClientCommand.self, RegistrationTokenCommand.self, DomainCommand.self, UserCommand.self,
            ProviderCommand.self, EnvironmentCommand.self, AppKeyCommand.self, KeyCommand.self, PinsCommand.self,
            AuditCommand.self, OutboxCommand.self, DeviceWebhookCommand.self,
            MigrateCommand.self,
            BackupCommand.self,
        ]
    )
}

/// The options that every command of an operator has.
struct AdminOptions: ParsableArguments {
    @OptionGroup var storage: StoreOptions

    @Flag(name: .long, help: "Print JSON.")
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

    /// Prints `value` as JSON with `--json`, and otherwise `text`.
    func print(_ value: some Encodable, or text: @autoclosure () -> String) throws {
        guard json else { return Terminal.say(text()) }
        try Terminal.sayJSON(value)
    }
}

/// A table with headings. Each column is as wide as its widest cell; control characters are replaced.
struct TextTable {
    private var rows: [[String]]

    init(_ headings: [String]) {
        rows = [headings.map { $0.uppercased() }]
    }

    mutating func add(_ row: [String]) {
        rows.append(row.map(\.shown))
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let padded = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }
}
