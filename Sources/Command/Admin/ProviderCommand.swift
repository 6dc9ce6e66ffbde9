internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin provider`: the other providers that people can sign in with.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Manage the other providers with which people can sign in.",
        subcommands: [Add.self, List.self, Test.self, Remove.self]
    )

    /// `countersign admin provider list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all providers.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let providers = try await admin.withStore { try await $0.read { try $0.identityProviders.all() } }
                var table = TextTable([
                    "name", "kind", "display name", "issuer", "client", "sign-in", "new accounts", "exchange",
                ])
                for provider in providers {
                    table.add([
                        provider.id.rawValue, provider.kind.name, provider.displayName, provider.issuer.rawValue,
                        provider.kind.client?.rawValue ?? "", provider.isOnLoginPage ? "yes" : "no",
                        provider.makesAccounts ? "yes" : "no",
                        provider.exchange.joined(separator: " "),
                    ])
                }
                try admin.print(
                    providers.map { ShownProvider($0) },
                    or: providers.isEmpty ? "No providers yet." : table.text
                )
            }
        }
    }

    /// `countersign admin provider test`
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Try a provider out: whether it can be reached, its keys and clock, and whether it accepts this server.",
            discussion: "Ends with status 1 when something is wrong."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedProvider

        func run() async throws {
            try await ending {
                let issuer = try admin.serverIssuer()
                let provider = try await admin.withStore { [named] store in
                    try await store.read { try $0.identityProviders.find(IdentityProvider.ID(named.provider)) }
                }
                guard let provider else { throw named.isMissing }
                let check = ProviderDiagnosis(
                    of: provider,
                    for: issuer,
                    over: SystemTransport.make(),
                    clock: .system,
                    random: .system
                )
                let findings = await check.findings()
                try admin.print(
                    findings.map { ShownFinding(good: $0.isGood, text: $0.sentence) },
                    or: findings.map { "\($0.isGood ? "ok    " : "wrong ") \($0.sentence)" }.joined(separator: "\n")
                )
                guard findings.allSatisfy(\.isGood) else { throw Failure("Something is wrong with \(provider.id).") }
            }
        }

        private struct ShownFinding: Encodable {
            let good: Bool
            let text: String
        }
    }

    /// `countersign admin provider remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a provider: nobody can sign in with it any more.",
            discussion: """
                What people connected is kept, and counts again when a provider of the same issuer is added. Who is signed \
                in stays signed in.
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedProvider

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let connected = try await admin.withStore { [named] store in
                    try await store.change { repositories -> (all: Int, withoutPassword: Int)? in
                        let id = IdentityProvider.ID(named.provider)
                        guard let provider = try repositories.identityProviders.find(id) else { return nil }
                        _ = try repositories.identityProviders.remove(id)
                        try repositories.record(.operator(now, .providerRemoved, detail: "\(id), \(provider.issuer)"))
                        return try repositories.identities.count(of: provider.issuer)
                    }
                }
                guard let connected else { throw named.isMissing }
                var text =
                    "Removed the provider \(named.provider). Accounts that were connected with it: \(connected.all)."
                if connected.withoutPassword > 0 {
                    text += """
                        \nOf these, \(connected.withoutPassword) have no password: give those people one with \
                        countersign admin user password.
                        """
                }
                try admin.print(
                    ["connected": connected.all, "without_password": connected.withoutPassword],
                    or: text
                )
            }
        }
    }
}

/// The provider that a command is about.
struct NamedProvider: ParsableArguments {
    @Argument(help: "The provider's name, as the list shows it.")
    var provider: String

    var isMissing: Failure { Failure("There is no provider \(provider).") }
}

extension AdminOptions {
    /// The name of this server; `nil` when no flag, variable or file says it.
    func serverIssuer() throws -> Issuer? {
        try storage.settings().string(forKey: "issuer").map { try ServeCommand.issuer($0) }
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

/// A provider as the command shows it, without its credential.
struct ShownProvider: Encodable {
    let name: String
    let kind: String
    let displayName: String
    let issuer: String
    let client: String?
    let host: String?
    let scope: String?
    let signIn: Bool
    let newAccounts: Bool
    let exchangeAudiences: [String]
    let exchangeParties: [String]?
    let exchangedBy: [String]?
    let exchangeNonce: String?
    let vouchedBy: [String]?
    let created: Date

    init(_ provider: IdentityProvider) {
        name = provider.id.rawValue
        kind = provider.kind.name
        displayName = provider.displayName
        issuer = provider.issuer.rawValue
        client = provider.kind.client?.rawValue
        signIn = provider.isOnLoginPage
        newAccounts = provider.makesAccounts
        exchangeAudiences = provider.kind.exchangeAudiences.map(\.rawValue)
        let parties = provider.kind.exchangeParties.map(\.rawValue)
        exchangeParties = parties.isEmpty ? nil : parties
        exchangedBy = provider.exchangers.isEmpty ? nil : provider.exchangers.map(\.rawValue)
        exchangeNonce = provider.kind.unusualNonceRule?.rawValue
        created = provider.created
        switch provider.kind {
        case .openID(let settings): (host, scope, vouchedBy) = (nil, settings.scope.description, nil)
        case .socialGraph(let settings): (host, scope, vouchedBy) = ("\(settings.base)/\(settings.version)", nil, nil)
        case .oauth1(let settings): (host, scope, vouchedBy) = (settings.base, nil, nil)
        case .bearer(let settings): (host, scope, vouchedBy) = (settings.base, nil, settings.vouchers.map(\.rawValue))
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, kind, issuer, client, host, scope, created
        case displayName = "display_name"
        case signIn = "sign_in"
        case newAccounts = "new_accounts"
        case exchangeAudiences = "exchange_audiences"
        case exchangeParties = "exchange_parties"
        case exchangedBy = "exchanged_by"
        case exchangeNonce = "exchange_nonce"
        case vouchedBy = "vouched_by"
    }
}
