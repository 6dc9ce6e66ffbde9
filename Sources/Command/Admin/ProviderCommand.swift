internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

/// `countersign admin provider`: the other providers that people can sign in with.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Manage the other providers with which people can sign in.",
        subcommands: [Add.self, ListCommand<IdentityProvider>.self, Test.self, Remove.self]
    )

    /// `countersign admin provider test`
    struct Test: AdminAction {
        static let configuration = CommandConfiguration(
            abstract:
                "Try a provider out: whether it can be reached, its keys and clock, and whether it accepts this server.",
            discussion: "Ends with status 1 when something is wrong."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<IdentityProvider>

        func output() async throws -> CommandOutput {
            let issuer = try await admin.serverIssuer()
            let provider = try await admin.read { [named] in try $0.identityProviders.find(try named.id) }
            guard let provider else { throw named.isMissing }
            let check = ProviderDiagnosis(
                of: provider, for: issuer, over: SystemTransport.make(), clock: .system, random: .system)
            let findings = await check.findings()
            return CommandOutput(
                encoding: findings.map { ["good": $0.isGood, "text": $0.sentence] as OutputMembers },
                findings.map { "\($0.isGood ? "ok    " : "wrong ") \($0.sentence)" }.joined(separator: "\n"),
                endingBy: findings.allSatisfy(\.isGood) ? nil : CommandError("Something is wrong with \(provider.id).")
            )
        }
    }

    /// `countersign admin provider remove`
    struct Remove: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Remove a provider: nobody can sign in with it any more.",
            discussion: """
                What people connected is kept, and counts again when a provider of the same issuer is added. Who is signed \
                in stays signed in.
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<IdentityProvider>
        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            let provider = try await admin.read { [named] in try $0.identityProviders.find(try named.id) }
            guard let provider else { throw named.isMissing }
            return Loss("the provider \(provider.id) with its credential")
        }

        func confirmedOutput() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let connected = try await admin.change { [named] repositories -> (all: Int, withoutPassword: Int)? in
                let id = try named.id
                guard let provider = try repositories.identityProviders.find(id) else { return nil }
                _ = try repositories.identityProviders.remove(id)
                try Audit(repositories).record(.operator(now, .providerRemoved, detail: "\(id), \(provider.issuer)"))
                return try repositories.identities.count(of: provider.issuer)
            }
            guard let connected else { throw named.isMissing }
            var text = "Removed the provider \(named.text). Accounts that were connected with it: \(connected.all)."
            if connected.withoutPassword > 0 {
                text += """
                    \nOf these, \(connected.withoutPassword) have no password: give those people one with \
                    countersign admin user password.
                    """
            }
            return CommandOutput(["connected": connected.all, "without_password": connected.withoutPassword], text)
        }
    }
}

extension AdminOptions {
    /// The name of this server; `nil` when no flag, variable or file says it, and no server has run yet.
    func serverIssuer() async throws -> Issuer? {
        let settings = try await storage.settingsOfServer()
        return try settings.string(forKey: "issuer").map { named in
            try ServeCommand.issuer(named, allowingInsecureHTTP: settings.truth("allow-insecure-http"))
        }
    }
}

extension IdentityProvider {
    /// The holders of the tokens that are exchanged: names of apps at the provider, or of clients here that vouch for
    /// theirs.
    fileprivate var exchange: [String] {
        switch kind {
        case .bearer(let settings): settings.vouchers.map { "vouched by \($0)" }
        case .openID, .socialGraph, .oauth1:
            kind.exchangeAudiences.map(\.rawValue) + exchangers.map { "by \($0)" }
                + (kind.unusualNonceRule.map { ["nonce \($0.rawValue)"] } ?? [])
        }
    }
}

extension IdentityProvider.Kind {
    /// The rule for nonces in an exchange; `nil` for the usual one.
    fileprivate var unusualNonceRule: TokenExchangeNonceRule? { exchangeNonce == .matching ? nil : exchangeNonce }
}

/// A provider, without its credential.
extension IdentityProvider: IdentifiableNoun {
    static let word = "provider"
    static let listAbstract = "List all providers."
    static let none = "No providers yet."
    static var argument: ArgumentHelp {
        ArgumentHelp("The provider's name, as the list shows it.", valueName: "provider")
    }

    static var columns: Columns<Self> {
        [
            "name": \.id.rawValue, "kind": \.kind.name, "display name": \.displayName, "issuer": \.issuer.rawValue,
            "client": \.kind.client?.rawValue, "sign-in": { $0.isOnLoginPage ? "yes" : "no" },
            "new accounts": { $0.makesAccounts ? "yes" : "no" }, "exchange": { $0.exchange.joined(separator: " ") },
        ]
    }

    var members: OutputMembers {
        let parties = kind.exchangeParties.map(\.rawValue)
        let common: OutputMembers = [
            "name": id.rawValue, "kind": kind.name, "display_name": displayName, "issuer": issuer.rawValue,
            "client": kind.client?.rawValue, "sign_in": isOnLoginPage, "new_accounts": makesAccounts,
            "exchange_audiences": kind.exchangeAudiences.map(\.rawValue),
            "exchange_parties": parties.isEmpty ? nil : parties,
            "exchanged_by": exchangers.isEmpty ? nil : exchangers.map(\.rawValue),
            "exchange_nonce": kind.unusualNonceRule?.rawValue, "created": created,
        ]
        return switch kind {
        case .openID(let settings): common.adding("scope", settings.scope.description)
        case .socialGraph(let settings): common.adding("host", "\(settings.base)/\(settings.version)")
        case .oauth1(let settings): common.adding("host", settings.base)
        case .bearer(let settings):
            common.adding("host", settings.base).adding("vouched_by", settings.vouchers.map(\.rawValue))
        }
    }

    static func identifier(_ text: String) -> ID? { ID(text) }
    static func all(in store: any Store) async throws -> [Self] {
        try await store.read { try $0.identityProviders.all() }
    }
}
