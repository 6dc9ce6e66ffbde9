internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin site`: the customers whose requests people answer with their devices.
struct CustomerSiteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site",
        abstract: "Manage the customers' sites, whose requests people answer with their devices.",
        subcommands: [
            Add.self, ListCommand<CustomerSite>.self, ShowCommand<CustomerSite>.self,
            Change.self, SecretCommand<CustomerSite>.self, RemoveCommand<CustomerSite>.self,
            Deliveries.self,
        ]
    )
}

extension CustomerSite: DescribableNoun, RemovableNoun {
    static let word = "site"
    static let listAbstract = "List all sites."
    static let none = "No sites yet."
    static let showAbstract = "Show one site."
    static let removeAbstract = "Remove a site, and end its open requests."
    static var argument: ArgumentHelp {
        ArgumentHelp("The site's identifier, as the list shows it.", valueName: "id")
    }

    static var columns: Columns<Self> {
        [
            "id": \.id.rawValue, "name": \.name, "webhook": \.webhook, "legacy devices": \.legacyDevices,
            "texts a day": \.textsPerDay,
        ]
    }

    private var legacyDevices: String { allowsLegacyDevices ? "yes" : "no" }
    private var textsPerDay: String { texts.perDay.map(String.init) ?? "any number" }

    var details: KeyValuePairs<String, String> {
        [
            "id": id.rawValue, "name": name, "icon": iconURL ?? "none", "webhook": webhook ?? "none",
            "legacy devices": legacyDevices,
            "texts to": texts.prefixes.isEmpty ? "every number" : texts.prefixes.joined(separator: " "),
            "texts a day": textsPerDay, "created": created.formatted(.iso8601),
        ]
    }

    var members: OutputMembers {
        [
            "id": id.rawValue, "name": name, "icon_url": iconURL, "webhook": webhook,
            "legacy_devices": allowsLegacyDevices, "text_prefixes": texts.prefixes, "texts_per_day": texts.perDay,
            "created": created, "old_secret_ends": oldSecretEnds,
        ]
    }

    static func identifier(_ text: String) -> CustomerSiteID? { CustomerSiteID(parsing: text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.environments.all() }
    static func find(_ id: CustomerSiteID, in store: any Store) async throws -> Self? {
        try await store.environments.find(id)
    }
    static func remove(_ id: CustomerSiteID, from store: any Store) async throws -> Bool {
        try await store.environments.remove(id)
    }
}

extension CustomerSite: RenewableNoun {
    static let secretMember = "secret"
    static let renewal = CommandConfiguration(
        commandName: "secret",
        abstract: "Give a site a new secret; the old one is accepted for a day, or as long as you say.",
        discussion: """
            Install the new secret at the customer's server while both are accepted. A secret that may be in the \
            wrong hands is replaced by --at-once. A second renewal ends what was kept of the first.

            Examples:
              countersign admin site secret 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c
              countersign admin site secret 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c --at-once
            """
    )

    var oldSecretEnds: Date? { replaced?.ends }

    static func renewSecret(
        of named: NounArgument<Self>,
        keepingOldFor span: TimeInterval,
        in store: any Store
    ) async throws -> (Self, secret: String)? {
        try await store.environments.renewSecret(of: try named.id, keepingOldFor: span).map { ($0, $1.revealed) }
    }
}
