internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

extension CredentialCommand {
    /// `countersign credential add`
    struct Add: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "Name a host that gets tokens, in place of what was said about it before.",
            discussion: """
                The host is a name or an address, with its port where it is not 443; http:// before it is for this machine \
                alone. Hosts with the same --issuer and --client share one sign-in, and each gets tokens with its own \
                scope. What it gets it can use at the others, as far as that goes: give hosts that must not their own \
                clients.
                """)

        @Argument(help: "The host, such as git.example.com or registry.example.com:5000.")
        var host: String

        @Option(help: "The base URL of the server that signs in.")
        var issuer: String

        @Option(help: "The name by which that server knows this client.")
        var client: String

        @Option(help: "The most that its tokens are for, words with spaces between.")
        var scope = "openid profile"

        @Option(
            help: ArgumentHelp(
                "The user name that goes with the token, where a program sends a name and a password. (default: oauth2)",
                valueName: "name"))
        var username: String?

        @OptionGroup var options: TokenOptions
        @OptionGroup var server: ServerAccess

        func output() async throws -> CommandOutput {
            let origin = try CredentialCommand.origin(host)
            // What --allow-insecure-http says is about the server that signs in.
            guard !origin.isPlainHTTP || Issuer.isLoopback(origin.host) else {
                throw CommandError.usage("\(host.shown) is not encrypted. Use its https:// address.")
            }
            let (issuer, scope) = (try server.issuer(issuer), try Scope.typed(scope))
            guard !scope.isEmpty else { throw CommandError.usage("Name at least one word with --scope.") }
            guard username.map(Self.isUsername) ?? true else {
                throw CommandError.usage("The user name has a character that none may have.")
            }
            let added = CredentialHost(
                origin: origin.description,
                issuer: issuer.text,
                client: client,
                scope: scope.description,
                username: username,
                secretFile: server.secretFile.map(Self.absolute),
                caFile: server.caFile.map(Self.absolute),
                allowsInsecureHTTP: server.allowInsecureHTTP
            )
            _ = try server.secret()
            let store = try options.storage.store()
            try await store.save(added)
            let others = try await store.credentialHosts().filter(added.shares)
            var words = "\(added.origin) gets the tokens of \(client) at \(added.issuer)."
            if !others.isEmpty {
                words += "\nIt shares the sign-in with \(others.map(\.origin).joined(separator: ", "))."
            }
            if let kept = try await store.signedIn(for: .signIn(at: issuer, as: ClientID(client))) {
                let missing = Scope(scope.words.filter { !kept.scope.contains($0) })
                let command = CredentialQuestion.command(
                    at: issuer, as: ClientID(client), for: added.scope(with: others))
                if !missing.isEmpty { words += "\nIts tokens have no \(missing) until you sign in again: \(command)" }
            }
            return CommandOutput(added.members, words)
        }

        /// Whether it is the user name of Basic authentication, on one line.
        private static func isUsername(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
        }

        /// The path from everywhere: helpers run in other directories.
        private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
    }

    /// `countersign credential list`
    struct List: TokenAction {
        static let configuration = CommandConfiguration(abstract: "List the hosts that get tokens.")

        @OptionGroup var options: TokenOptions

        func output() async throws -> CommandOutput {
            let hosts = try await options.storage.store().credentialHosts()
            return CommandOutput(hosts, as: \.members, in: CredentialHost.columns, none: "No host gets tokens.")
        }
    }

    /// `countersign credential remove`
    struct Remove: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "Give a host no more tokens.",
            discussion: "The sign-in stays; 'countersign signout' ends it.")

        @Argument(help: "The host, as 'add' named it.")
        var host: String

        @OptionGroup var options: TokenOptions

        func output() async throws -> CommandOutput {
            let origin = try CredentialCommand.origin(host)
            let store = try options.storage.store()
            let key = TokenStoreKey(.credentialHost, origin.description)
            guard try await store.load(key) != nil else { throw CommandError("\(origin) gets no tokens.") }
            try await store.remove(key)
            return CommandOutput(["removed": origin.description], "\(origin) gets no more tokens.")
        }
    }

    /// The origin that a person types: https unless they say http, and nothing behind the host.
    fileprivate static func origin(_ typed: String) throws -> CredentialOrigin {
        let address = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
        let authority = address.components(separatedBy: "://").last ?? address
        guard !authority.contains("/"), let origin = CredentialOrigin(hostOrAddress: address) else {
            throw CommandError.usage(CredentialOrigin.refusal(of: typed))
        }
        return origin
    }
}
