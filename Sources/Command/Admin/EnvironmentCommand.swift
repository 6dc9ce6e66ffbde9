internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin environment`: the customers whose requests people answer with their devices.
struct EnvironmentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "environment",
        abstract: "Manage the environments: sites whose requests people answer with their devices.",
        subcommands: [Add.self, List.self, Show.self, Change.self, Secret.self, Remove.self, Deliveries.self]
    )

    /// `countersign admin environment list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all environments.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let environments = try await admin.withStore { try await $0.environmentRegistry.all() }
                var table = TextTable(["id", "name", "webhook", "older devices", "texts a day"])
                for environment in environments {
                    table.add([
                        environment.id.rawValue, environment.name, environment.webhook ?? "",
                        environment.allowsLegacyDevices ? "yes" : "no",
                        environment.texts.perDay.map(String.init) ?? "any number",
                    ])
                }
                try admin.print(
                    environments.map { ShownEnvironment($0) },
                    or: environments.isEmpty ? "No environments yet." : table.text
                )
            }
        }
    }

    /// `countersign admin environment show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one environment.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment

        func run() async throws {
            try await ending {
                let found = try await admin.withStore { [named] store in
                    try await store.environmentRegistry.find(try named.environment)
                }
                guard let found else { throw named.isMissing }
                try admin.print(ShownEnvironment(found), or: ShownEnvironment(found).text)
            }
        }
    }

    /// `countersign admin environment secret`
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an environment a new secret; the old one is accepted for a day, or as long as you say.",
            discussion: """
                Install the new secret at the customer's server while both are accepted. A secret that may be in the \
                wrong hands is replaced by --at-once. A second renewal ends what was kept of the first.

                Examples:
                  countersign admin environment secret 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c
                  countersign admin environment secret 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c --at-once
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment
        @OptionGroup var keeping: KeptSecret

        func run() async throws {
            try await ending {
                let span = try keeping.span()
                let renewed = try await admin.withStore { [named] store in
                    try await store.environmentRegistry.renewSecret(
                        of: try named.environment, keepingOldFor: span)
                }
                guard let (environment, secret) = renewed else { throw named.isMissing }
                let shown = ShownEnvironment(environment, secret: secret)
                let old =
                    shown.oldSecretEnds.map { "The old one is accepted until \($0.formatted(.iso8601))." }
                    ?? "The old one is not accepted any more."
                try admin.print(
                    shown,
                    or: """
                        The new secret of \(environment.id), which is shown only now: \(secret.revealed)
                        \(old)
                        """
                )
            }
        }
    }

    /// `countersign admin environment remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an environment, and end its open requests."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment

        func run() async throws {
            try await ending {
                let wasThere = try await admin.withStore { [named] store in
                    try await store.environmentRegistry.remove(try named.environment)
                }
                guard wasThere else { throw named.isMissing }
                try admin.print(["removed": named.id], or: "Removed the environment \(named.id).")
            }
        }
    }
}

/// The environment that a command is about.
struct NamedEnvironment: ParsableArguments {
    @Argument(help: "The environment's identifier, as the list shows it.")
    var id: String

    var environment: EnvironmentID {
        get throws {
            guard let id = EnvironmentID(parsing: id) else { throw isMissing }
            return id
        }
    }

    var isMissing: Failure { Failure("There is no environment \(id).") }
}

/// An environment as the command shows it.
struct ShownEnvironment: Encodable {
    let id: String
    let name: String
    let iconURL: String?
    let webhook: String?
    let legacyDevices: Bool
    let textPrefixes: [String]
    /// The maximum number of texts in 24 hours; left out for no limit.
    let textsPerDay: Int?
    let created: Date
    /// The end of the time for which the secret before is accepted.
    let oldSecretEnds: Date?
    /// Shown once, when it is made.
    let secret: String?

    init(_ environment: AuthenticatorEnvironment, secret: EnvironmentSecret? = nil) {
        id = environment.id.rawValue
        name = environment.name
        iconURL = environment.iconURL
        webhook = environment.webhook
        legacyDevices = environment.allowsLegacyDevices
        textPrefixes = environment.texts.prefixes
        textsPerDay = environment.texts.perDay
        created = environment.created
        oldSecretEnds = environment.replaced?.ends
        self.secret = secret?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case id, name, webhook, created, secret
        case iconURL = "icon_url"
        case legacyDevices = "legacy_devices"
        case textPrefixes = "text_prefixes"
        case textsPerDay = "texts_per_day"
        case oldSecretEnds = "old_secret_ends"
    }

    /// The environment as text for a person.
    var text: String {
        let lines = [
            ("id", id), ("name", name), ("icon", iconURL ?? "none"), ("webhook", webhook ?? "none"),
            ("older devices", legacyDevices ? "yes" : "no"),
            ("texts to", textPrefixes.isEmpty ? "every number" : textPrefixes.joined(separator: " ")),
            ("texts a day", textsPerDay.map(String.init) ?? "any number"), ("created", created.formatted(.iso8601)),
        ]
        return lines.map { name, value in
            name + String(repeating: " ", count: 15 - name.count) + value.shown
        }.joined(separator: "\n")
    }
}
