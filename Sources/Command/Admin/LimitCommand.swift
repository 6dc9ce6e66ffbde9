internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin limit`: the limits, and the parties that they hold back.
struct LimitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "List the limits and whom they hold back, and lift one for a party.",
        discussion: "Limits are set by --limit of serve, its environment or its configuration file.",
        subcommands: [List.self, Lift.self]
    )

    /// `countersign admin limit list`
    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "List all limits with their sources, or those that hold somebody back now.",
            discussion: """
                The values are those of the environment and of the configuration file; flags of a running server are \
                not seen. With --reached the list is made from the audit and the counts of the database. Numbers, \
                e-mail addresses and names that nobody has are not in it, since the database does not know them; they \
                can be lifted by their names.

                Examples:
                  countersign admin limit list --config /etc/countersign/config.json
                  countersign admin limit list --reached
                """
        )

        @OptionGroup var admin: AdminOptions

        @Flag(help: "Only the limits that hold somebody back now, with the party and the end of it.")
        var reached = false

        func output() async throws -> CommandOutput {
            guard reached else { return LimitSetting.output(try LimitSetting.all(of: admin.storage)) }
            return LimitRegistry.HeldParty.output(try await admin.withStore { try await $0.limits.held() })
        }
    }

    /// `countersign admin limit lift`
    struct Lift: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Forget what a limit has counted for a party, which may go on at once.",
            discussion: """
                The party is named as 'limit list --reached' shows it: a network address, a person, a client, a client \
                and a person, a telephone number, a calling code or an e-mail address; none for a limit of everybody.

                Examples:
                  countersign admin limit lift password-per-account anna
                  countersign admin limit lift start-per-address 192.0.2.7
                  countersign admin limit lift text-per-number +31612345678
                  countersign admin limit lift mail-overall
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: ArgumentHelp("The limit, as 'limit list' names it.", valueName: "limit"))
        var name: String

        @Argument(help: ArgumentHelp("The party.", valueName: "party"))
        var party: [String] = []

        func output() async throws -> CommandOutput {
            let question = Suggestion(from: LimitSettings.names).question(for: name)
            let rule = try LimitRule(rawValue: name).or(
                usage: "There is no limit \(name). \(question ?? "See countersign admin limit list.")")
            let isLifted: Bool
            do {
                isLifted = try await admin.withStore { store in
                    let party = try await store.read { [party] in try LimitedParty(party, for: rule, in: $0) }
                    return try await store.limits.lift(rule, of: party)
                }
            } catch is LimitRegistry.RememberedLimitError {
                throw CommandError(
                    "\(rule.rawValue) is also counted in the memory of the server, until its span ends. "
                        + "Lift it at /admin/limits, wait for that, or raise the limit.")
            }
            let shown = party.isEmpty ? "" : " for \(party.joined(separator: " "))"
            guard isLifted else { throw CommandError("\(rule.rawValue) has counted nothing\(shown).") }
            return CommandOutput(["lifted": rule.rawValue, "party": party], "Lifted \(rule.rawValue)\(shown).")
        }
    }
}

/// A limit with its value and the source of that.
private struct LimitSetting: ListableNoun {
    let rule: LimitRule
    let limit: Limit?
    let source: String

    static func all(of storage: StoreOptions) throws -> [Self] {
        let settings = try storage.settings()
        let limits = try LimitSettings.limits(in: settings)
        return LimitRule.allCases.map {
            LimitSetting(rule: $0, limit: limits[$0], source: LimitSettings.source(of: $0, in: settings, storage))
        }
    }

    private var value: String { limit?.description ?? "off" }

    static var columns: Columns<Self> {
        [
            "limit": \.rule.rawValue, "value": \.value, "default": \.rule.declaration.standard.description,
            "beyond it": \.rule.declaration.manner.rawValue, "from": \.source,
        ]
    }

    var members: OutputMembers {
        [
            "limit": rule.rawValue, "value": value, "default": rule.declaration.standard.description,
            "manner": rule.declaration.manner.rawValue, "counts": rule.declaration.counted, "source": source,
        ]
    }
}

/// A party that a limit holds back, with the name that an operator gives it.
extension LimitRegistry.HeldParty: ListableNoun {
    static let none = "Nobody is held back."

    static var columns: Columns<Self> {
        [
            "limit": \.reached.rule.rawValue,
            "party": { $0.words.isEmpty ? "everybody" : $0.words.joined(separator: " ") },
            "counted": { "\($0.reached.times) of \($0.reached.limit)" },
            "until": { $0.reached.end.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        [
            "limit": reached.rule.rawValue, "party": words, "counted": reached.times,
            "value": reached.limit.description, "until": reached.end,
        ]
    }
}

extension LimitedParty {
    /// Reads the party that an operator named.
    ///
    /// - Throws: a ``CommandError`` for words that name no party of the limit.
    fileprivate init(_ words: [String], for rule: LimitRule, in repositories: any Repositories) throws {
        switch (rule.partyKind, words.count) {
        case (.everybody, 0): self = .everybody
        case (.network, 1): self = .network(words[0])
        case (.person, 1): self = .person(try Person.find(words[0], in: repositories).subject)
        case (.client, 1): self = .client(ClientID(words[0]))
        // Codes are also counted for each client separately.
        case (.person, 2) where rule == .codePerAccount, (.source, 2):
            self = .source(ClientID(words[0]), try Person.find(words[1], in: repositories).subject)
        case (.number, 1):
            do throws(PhoneNumber.ParsingError) {
                self = .receiver(try PhoneNumber(words[0]).text)
            } catch {
                throw CommandError("\(words[0]) is \(error.rawValue).")
            }
        case (.callingCode, 1): self = .receiver(String(words[0].drop { $0 == "+" }))
        case (.emailAddress, 1):
            self = .receiver(try UserFacts.email(words[0]).folded)
        case (.secret, _):
            throw CommandError("\(rule.rawValue) counts for a code or a token, and cannot be lifted for a party.")
        default: throw CommandError.usage("\(rule.rawValue) takes \(rule.partyKind.words).")
        }
    }
}

extension LimitRule.PartyKind {
    /// The party in the sentence "… takes …".
    fileprivate var words: String {
        switch self {
        case .everybody: "no party: it counts for everybody together"
        case .network: "a network address, as in 192.0.2.7"
        case .person: "a person"
        case .client: "a client"
        case .source: "a client and a person"
        case .number: "a telephone number, with + and the calling code"
        case .callingCode: "a calling code, as in +31"
        case .emailAddress: "an e-mail address"
        case .secret: "no party"
        }
    }
}
