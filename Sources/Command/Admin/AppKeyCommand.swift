internal import ArgumentParser
internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin app-key`: the apps with a built-in authenticator.
struct AppKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-key",
        abstract: "Manage the keys of apps with a built-in authenticator.",
        subcommands: [Add.self, List.self, Remove.self]
    )

    /// `countersign admin app-key add`
    struct Add: AsyncParsableCommand {
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

        @Option(name: .long, help: ArgumentHelp("The app at Apple's push service.", valueName: "id"))
        var bundleID: String?

        @Option(name: .long, help: ArgumentHelp("The app's project at Google's push service.", valueName: "id"))
        var project: String?

        func run() async throws {
            try await ending {
                let missing = try await creation.allowed(in: admin.storage)
                let app: AuthenticatorApp
                do {
                    app = try await admin.withStore(whenMissing: missing) { [name, bundleID, project] store in
                        try await store.appRegistry.add(named: name, bundleID: bundleID, project: project)
                    }
                } catch let refused as AuthenticatorAppRegistry.Refused {
                    throw Failure(refused.description, status: .usage)
                }
                try admin.print(ShownApp(app), or: "Added the app \(app.name).\nIts key: \(app.key)")
            }
        }
    }

    /// `countersign admin app-key list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all app keys.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let apps = try await admin.withStore { try await $0.appRegistry.all() }
                var table = TextTable(["key", "name", "bundle id", "project"])
                for app in apps { table.add([app.key.rawValue, app.name, app.bundleID ?? "", app.project ?? ""]) }
                try admin.print(apps.map { ShownApp($0) }, or: apps.isEmpty ? "No app keys yet." : table.text)
            }
        }
    }

    /// `countersign admin app-key remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an app key: devices cannot register with it any more."
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The key, as the list shows it.")
        var key: String

        func run() async throws {
            try await ending {
                let wasThere = try await admin.withStore { [key] store in
                    try await store.appRegistry.remove(AppKey(key))
                }
                guard wasThere else { throw Failure("There is no app key \(key).") }
                try admin.print(["removed": key], or: "Removed the app key \(key).")
            }
        }
    }
}

/// An app as the command shows it.
struct ShownApp: Encodable {
    let key: String
    let name: String
    let bundleID: String?
    let project: String?
    let created: Date

    init(_ app: AuthenticatorApp) {
        key = app.key.rawValue
        name = app.name
        bundleID = app.bundleID
        project = app.project
        created = app.created
    }

    enum CodingKeys: String, CodingKey {
        case key, name, project, created
        case bundleID = "bundle_id"
    }
}
