internal import ArgumentParser
internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin domain`: the services that have tokens of their own, in Cross-Platform Authentication.
struct DomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain",
        abstract: "Manage the services for which devices get tokens by Cross-Platform Authentication.",
        subcommands: [
            Add.self, List.self, Show.self, Change.self, RenewCredential.self, Remove.self,
        ]
    )

    /// `countersign admin domain list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all services.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let domains = try await admin.withStore { try await $0.domainRegistry.all() }
                var table = TextTable(["domain", "name", "sign-on", "group", "tokens live"])
                for domain in domains {
                    table.add([
                        domain.name.rawValue, domain.displayName, domain.signOn.rawValue, domain.group ?? "",
                        "\(Int(domain.tokenLifetime)) s",
                    ])
                }
                try admin.print(domains.map { ShownDomain($0) }, or: domains.isEmpty ? "No domains yet." : table.text)
            }
        }
    }

    /// `countersign admin domain show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one service.")

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedDomain

        func run() async throws {
            try await ending {
                let domain = try await admin.withStore { try await $0.domainRegistry.find(named.name) }
                guard let domain else { throw named.isMissing }
                try admin.print(ShownDomain(domain), or: ShownDomain(domain).text)
            }
        }
    }

    /// `countersign admin domain renew-credential`
    struct RenewCredential: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a service a new credential; the old one stops working at once."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedDomain

        func run() async throws {
            try await ending {
                let renewed = try await admin.withStore { try await $0.domainRegistry.renewCredential(of: named.name) }
                guard let (domain, credential) = renewed else { throw named.isMissing }
                try admin.print(
                    ShownDomain(domain, credential: credential),
                    or: "Its new credential, which is shown only now: \(credential.revealed)"
                )
            }
        }
    }

    /// `countersign admin domain remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a service, and end every sign-in and token for it."
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedDomain

        func run() async throws {
            try await ending {
                guard try await admin.withStore({ try await $0.domainRegistry.remove(named.name) }) else {
                    throw named.isMissing
                }
                try admin.print(["removed": named.domain], or: "Removed the domain \(named.domain).")
            }
        }
    }
}

/// The domain that a command is about.
struct NamedDomain: ParsableArguments {
    @Argument(help: "The service's host, with its port where it has one.")
    var domain: String

    var name: Domain { Domain(domain) }

    var isMissing: Failure { Failure("There is no domain \(domain).") }
}

/// A domain as the command shows it.
struct ShownDomain: Encodable {
    let domain: String
    let displayName: String
    let signOn: String
    let group: String?
    let redirectURIs: [String]
    let tokenLifetime: Int
    let created: Date
    /// Shown once, when it is made.
    let credential: String?

    init(_ domain: ServiceDomain, credential: ServiceCredential? = nil) {
        self.domain = domain.name.rawValue
        displayName = domain.displayName
        signOn = domain.signOn.rawValue
        group = domain.group
        redirectURIs = domain.redirectURIs
        tokenLifetime = Int(domain.tokenLifetime)
        created = domain.created
        self.credential = credential?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case domain
        case displayName = "display_name"
        case signOn = "sign_on"
        case group
        case redirectURIs = "redirect_uris"
        case tokenLifetime = "token_lifetime"
        case created, credential
    }

    /// The domain as text for a person.
    var text: String {
        let lines = [
            ("domain", domain), ("name", displayName), ("sign-on", signOn), ("group", group ?? "none"),
            ("redirects", redirectURIs.isEmpty ? "none" : redirectURIs.joined(separator: " ")),
            ("tokens live", "\(tokenLifetime) s"), ("created", created.formatted(.iso8601)),
        ]
        return lines.map { name, value in
            name + String(repeating: " ", count: 13 - name.count) + value
        }.joined(separator: "\n")
    }
}
