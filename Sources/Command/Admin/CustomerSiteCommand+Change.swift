internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension CustomerSiteCommand {
    /// `countersign admin site add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Add a site; it is given its secret, once.",
            discussion: """
                The customer's server opens requests with the identifier and the secret. The site is a client of \
                this server as well: the same identifier and secret work at /bc-authorize.

                Examples:
                  countersign admin site add "My Bank" --webhook https://bank.example.com/decided
                  countersign admin site add "My Bank" --text-prefix +31 --texts-per-day 500
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The name that people read on their devices.")
        var name: String

        @OptionGroup var facts: CustomerSiteFacts

        func output() async throws -> CommandOutput {
            let missing = try await creation.allowed(in: admin.storage)
            var draft = CustomerSiteDraft(name: name)
            try facts.apply(to: &draft)
            let (environment, secret) = try await CustomerSiteFacts.refusing {
                try await admin.withStore(whenMissing: missing) { [draft] in try await $0.environments.add(draft) }
            }
            return CommandOutput(
                environment.members.adding(CustomerSite.secretMember, secret.revealed),
                """
                Added the site \(environment.name).
                Its identifier: \(environment.id)
                Its secret, which is shown only now: \(secret.revealed)
                """
            )
        }
    }

    /// `countersign admin site change`
    struct Change: AdminAction {
        static let configuration = CommandConfiguration(abstract: "Change a site; what is not named stays as it is.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<CustomerSite>

        @Option(help: "The name that people read on their devices.")
        var name: String?

        @OptionGroup var facts: CustomerSiteFacts

        func output() async throws -> CommandOutput {
            let changed = try await CustomerSiteFacts.refusing {
                try await admin.withStore { store in
                    try await store.environments.change(try named.id) { [name, facts] draft in
                        if let name { draft.name = name }
                        try facts.apply(to: &draft)
                    }
                }
            }
            guard let (environment, isChanged) = changed else { throw named.isMissing }
            return environment.output(changed: isChanged, as: environment.id.rawValue)
        }
    }
}

/// The options that describe a site: shared by `site add` and `site change`.
struct CustomerSiteFacts: ParsableArguments {
    @Option(help: ArgumentHelp("The https address of its picture; empty for none.", valueName: "url"))
    var icon: String?

    @Option(
        help: ArgumentHelp("Where the customer's server is told of decisions; empty for nowhere.", valueName: "url"))
    var webhook: String?

    @Option(
        help: ArgumentHelp(
            "Whether devices of the older dialect may answer: yes or no. (default: no)", valueName: "yes|no"))
    var legacyDevices: String?

    @Option(
        help: ArgumentHelp(
            "Numbers that begin so get texts. Repeatable; one that is empty lets every number get them.",
            valueName: "+31"))
    var textPrefix: [String] = []

    @Option(help: ArgumentHelp("The most texts in 24 hours, or unlimited. (default: 1000)", valueName: "number"))
    var textsPerDay: String?

    /// Writes the given options into `draft`.
    ///
    /// - Throws: a ``CommandError`` for one that is neither yes nor no.
    func apply(to draft: inout CustomerSiteDraft) throws {
        if let icon { draft.icon = icon }
        if let webhook { draft.webhook = webhook }
        draft.allowsLegacyDevices =
            try choice(legacyDevices, for: "--legacy-devices", of: [("yes", true), ("no", false)])
            ?? draft.allowsLegacyDevices
        if !textPrefix.isEmpty { draft.textPrefixes = textPrefix }
        if let textsPerDay { draft.textsPerDay = textsPerDay }
    }

    /// Runs `body`, and turns a refusal into a ``CommandError`` with its sentences.
    static func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refused as CustomerSiteDraftError {
            let problems = CustomerSiteDraft.Field.allCases.compactMap { field in
                refused.problems[field].map { option(for: field) + $0.description }
            }
            throw CommandError.usage(problems.joined(separator: "\n"))
        }
    }

    private static func option(for field: CustomerSiteDraft.Field) -> String {
        switch field {
        case .name: ""
        case .icon: "--icon: "
        case .webhook: "--webhook: "
        case .textPrefixes: "--text-prefix: "
        case .textsPerDay: "--texts-per-day: "
        }
    }
}
