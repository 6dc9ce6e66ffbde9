internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin domain`: the services with their own tokens, in Cross-Platform Authentication.
struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain",
        abstract: "Manage the services for which devices get tokens by Cross-Platform Authentication.",
        subcommands: [
            Add.self, ListCommand<ServiceDomain>.self, ShowCommand<ServiceDomain>.self, Change.self,
            RenewCredential.self, RemoveCommand<ServiceDomain>.self,
        ]
    )

    /// `countersign admin domain renew-credential`
    struct RenewCredential: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Give a service a new credential; the old one stops working at once.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<ServiceDomain>
        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            let found = try await admin.withStore { try await $0.domains.find(try named.id) }
            guard let found else { throw named.isMissing }
            return Loss("the present credential of \(found.name)", by: "Ends")
        }

        func confirmedOutput() async throws -> CommandOutput {
            let renewed = try await admin.withStore { try await $0.domains.renewCredential(of: try named.id) }
            guard let (domain, credential) = renewed else { throw named.isMissing }
            return CommandOutput(
                domain.members.adding("credential", credential.revealed),
                "Its new credential, which is shown only now: \(credential.revealed)"
            )
        }
    }
}

extension ServiceDomain: DescribableNoun, RemovableNoun {
    static let word = "domain"
    static let listAbstract = "List all services."
    static let none = "No domains yet."
    static let showAbstract = "Show one service."
    static let removeAbstract = "Remove a service, and end every sign-in and token for it."
    static var argument: ArgumentHelp {
        ArgumentHelp("The service's host, with its port where it has one.", valueName: "domain")
    }

    static var columns: Columns<Self> {
        [
            "domain": \.name.rawValue, "name": \.displayName, "sign-on": \.signOn.rawValue, "group": \.group,
            "tokens live": { "\(Int($0.tokenLifetime)) s" },
        ]
    }

    var details: KeyValuePairs<String, String> {
        [
            "domain": name.rawValue, "name": displayName, "sign-on": signOn.rawValue, "group": group ?? "none",
            "redirects": redirectURIs.isEmpty ? "none" : redirectURIs.joined(separator: " "),
            "tokens live": "\(Int(tokenLifetime)) s", "created": created.formatted(.iso8601),
        ]
    }

    var members: OutputMembers {
        [
            "domain": name.rawValue, "display_name": displayName, "sign_on": signOn.rawValue, "group": group,
            "redirect_uris": redirectURIs, "token_lifetime": Int(tokenLifetime), "created": created,
        ]
    }

    static func identifier(_ text: String) -> Domain? { Domain(text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.domains.all() }
    static func find(_ id: Domain, in store: any Store) async throws -> Self? { try await store.domains.find(id) }
    static func loss(of id: Domain, in store: any Store) async throws -> Loss? {
        guard try await find(id, in: store) != nil else { return nil }
        let signIns = try await store.read { try $0.signIns.all(of: id, limit: Loss.most) }
        return Loss("the domain \(id)").and(signIns.count, "sign-in")
    }
    static func remove(_ id: Domain, from store: any Store) async throws -> Bool { try await store.domains.remove(id) }
}
