internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

extension DomainCommand {
    /// `countersign admin domain add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Add a service; it is given its credential, once.",
            discussion: """
                Examples:
                  countersign admin domain add radio.example.com --name "Our Radio"
                  countersign admin domain add tv.example.com --sign-on automatic --group ours --token-lifetime 2592000
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation
        @OptionGroup var named: NounArgument<ServiceDomain>
        @OptionGroup var facts: DomainFacts

        func output() async throws -> CommandOutput {
            let missing = try await creation.allowed(in: admin.storage)
            let draft = facts.applied(to: DomainDraft(name: named.text, displayName: named.text))
            let (domain, credential) = try await DomainFacts.refusing {
                try await admin.withStore(whenMissing: missing) { try await $0.domains.add(draft) }
            }
            return CommandOutput(
                domain.members.adding("credential", credential.revealed),
                """
                Added the domain \(domain.name).
                Its credential, which is shown only now: \(credential.revealed)
                """
            )
        }
    }

    /// `countersign admin domain change`
    struct Change: AdminAction {
        static let configuration = CommandConfiguration(abstract: "Change a service; what is not named stays as it is.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<ServiceDomain>
        @OptionGroup var facts: DomainFacts

        func output() async throws -> CommandOutput {
            let changed = try await DomainFacts.refusing {
                try await admin.withStore { [facts] store in
                    try await store.domains.change(try named.id) { $0 = facts.applied(to: $0) }
                }
            }
            guard let changed else { throw named.isMissing }
            return CommandOutput(changed.members, "Changed the domain \(changed.name).")
        }
    }
}

/// The options that describe a service: shared by `domain add` and `domain change`.
struct DomainFacts: ParsableArguments {
    @Option(help: "The name that people are shown. (default: the domain)")
    var name: String?

    @Option(
        help: """
            What happens when a device asks that a person signed in before: ask them, automatic for domains of the same \
            group, or never, so that it begins with a code. (default: ask)
            """
    )
    var signOn: String?

    @Option(help: "The group of domains that belong together; empty for none.")
    var group: String?

    @Option(
        help: ArgumentHelp(
            "Where a person's browser may go after their decision. Repeatable; one that is empty takes all away.",
            valueName: "address"))
    var redirectUri: [String] = []

    @Option(help: "How long its tokens live, in seconds, from 60 to 31536000. (default: 86400)")
    var tokenLifetime: Int?

    /// Returns `draft` with the given options.
    func applied(to draft: DomainDraft) -> DomainDraft {
        var draft = draft
        draft.displayName = name ?? draft.displayName
        draft.signOn = signOn ?? draft.signOn
        draft.group = group ?? draft.group
        if !redirectUri.isEmpty { draft.redirectURIs = redirectUri }
        draft.tokenLifetime = tokenLifetime.map(TimeInterval.init) ?? draft.tokenLifetime
        return draft
    }

    /// Runs `body`, and turns a refusal into a ``CommandError`` with its sentences.
    static func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refused as DomainDraftError {
            guard refused != .taken else { throw CommandError("\(DomainProblem.taken)") }
            let problems = DomainDraft.Field.allCases.compactMap { refused.problems[$0]?.description }
            throw CommandError.usage(problems.joined(separator: "\n"))
        }
    }
}
