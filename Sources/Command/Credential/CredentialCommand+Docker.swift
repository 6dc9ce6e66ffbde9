internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import Foundation

extension CredentialCommand {
    /// `countersign credential docker`
    struct Docker: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer docker, podman and others as a credential helper.",
            discussion: """
                They call it as docker-credential-countersign, for the registries of "credHelpers" in their configuration:

                    { "credHelpers": { "registry.example.com": "countersign" } }

                The token is the password. The user name is that of 'credential add': registries that sign in by OAuth \
                name theirs, such as oauth2accesstoken.
                """)

        @OptionGroup var options: CredentialOptions

        @Argument(help: "The operation: get, list, store, erase or version.")
        var operation: String

        /// The words by which docker knows that it may go on without a credential.
        private static let notFound = "credentials not found in native keychain"

        func run() async throws {
            try await ending {
                switch operation {
                case "get": try await get()
                case "list": try await list()
                case "store": try await store()
                case "erase": try await erase()
                case "version": Terminal.say("docker-credential-countersign \(Version.text)")
                default: throw CommandError("docker-credential-countersign has no operation \(operation.shown).")
                }
            }
        }

        /// The host that a line of standard input names.
        private func host(at address: String) async throws -> CredentialHost? {
            guard let origin = CredentialOrigin(hostOrAddress: address) else { return nil }
            return try await options.storage.store().credentialHost(at: origin)
        }

        private func address() throws -> String {
            try SuppliedText.text(StandardInput.shared.allBytes(), of: "Standard input")
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func get() async throws {
            let address = try address()
            guard let host = try await host(at: address) else {
                Terminal.say(Self.notFound)
                throw ExitCode(ExitStatus.failed.rawValue)
            }
            try await untilInterrupted {
                let token = try await CredentialSource(of: host, options: options, using: .allowed).token(.access)
                let answer: OutputMembers = [
                    "ServerURL": address, "Username": host.username ?? CredentialHost.usualUsername,
                    "Secret": token.revealed,
                ]
                try Terminal.sayJSON(answer, inOneLine: true)
            }
        }

        /// Lists the hosts for which there are tokens: docker asks for each of them, which must not begin a sign-in, and gives
        /// up at one that gets none.
        private func list() async throws {
            let (store, now) = (try options.storage.store(), TimeSource.system.now())
            var usernames = OutputMembers()
            for host in try await store.credentialHosts() {
                guard let signedIn = try await store.signedIn(for: try host.key()), host.gets(signedIn, at: now) else {
                    continue
                }
                usernames = usernames.adding(host.origin, host.username ?? CredentialHost.usualUsername)
            }
            try Terminal.sayJSON(usernames, inOneLine: true)
        }

        /// Takes what docker has logged in with: for a host that gets tokens it is a token that is kept already.
        private func store() async throws {
            let stored = try? JSONDecoder().decode(Stored.self, from: Data(StandardInput.shared.allBytes()))
            let given = try stored.or(failure: "The credential is no JSON with ServerURL.")
            if let host = try await host(at: given.serverURL) {
                Terminal.complain("Passwords are not stored: \(host.origin) gets tokens of \(host.issuer).")
                return
            }
            throw CommandError(
                "No passwords are kept here. Add the registry by 'countersign credential add', or use another helper.")
        }

        /// Renews the token before its next use.
        private func erase() async throws {
            guard let host = try await host(at: try address()) else { return }
            try await options.storage.store().expire(nil, for: try host.key())
        }

        /// The credential that docker stores; its secret is not read.
        private struct Stored: Decodable {
            let serverURL: String

            enum CodingKeys: String, CodingKey { case serverURL = "ServerURL" }
        }
    }
}
