internal import ArgumentParser
internal import Countersign
internal import CountersignServer

/// `countersign admin app-key`: the apps with a built-in authenticator.
struct AppKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-key",
        abstract: "Manage the keys of apps with a built-in authenticator.",
        subcommands: [Add.self, ListCommand<AuthenticatorApp>.self, RemoveCommand<AuthenticatorApp>.self]
    )

    /// `countersign admin app-key add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Make a key for an app, to be built into it.",
            discussion: """
                The key is part of every installed app, so it is no secret. Devices name it when they register.

                Examples:
                  countersign admin app-key add "My Bank" --bundle-id com.example.bank --project my-bank-1234
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The name that operators read.")
        var name: String

        @Option(help: ArgumentHelp("The app at Apple's push service.", valueName: "id"))
        var bundleID: String?

        @Option(help: ArgumentHelp("The app's project at Google's push service.", valueName: "id"))
        var project: String?

        func output() async throws -> CommandOutput {
            let missing = try await creation.allowed(in: admin.storage)
            do {
                let app = try await admin.withStore(whenMissing: missing) {
                    try await $0.apps.add(named: name, bundleID: bundleID, project: project)
                }
                return CommandOutput(app.members, "Added the app \(app.name).\nIts key: \(app.key)")
            } catch let refused as AuthenticatorAppRegistry.ValidationError {
                throw CommandError.usage(refused.description)
            }
        }
    }
}

extension AuthenticatorApp: RemovableNoun {
    static let listAbstract = "List all app keys."
    static let none = "No app keys yet."
    static let removeAbstract = "Remove an app key: devices cannot register with it any more."
    static let word = "app key"
    static var argument: ArgumentHelp { ArgumentHelp("The key, as the list shows it.", valueName: "key") }

    static var columns: Columns<Self> {
        ["key": \.key.rawValue, "name": \.name, "bundle id": \.bundleID, "project": \.project]
    }

    var members: OutputMembers {
        ["key": key.rawValue, "name": name, "bundle_id": bundleID, "project": project, "created": created]
    }

    static func identifier(_ text: String) -> AppKey? { AppKey(text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.apps.all() }
    static func remove(_ id: AppKey, from store: any Store) async throws -> Bool { try await store.apps.remove(id) }
}
