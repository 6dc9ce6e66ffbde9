internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension ClientCommand {
    /// `countersign admin client add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Register a client; a confidential one is given its secret, once.",
            discussion: """
                Examples:
                  countersign admin client add tv --name "Living room TV" --scope "openid profile" --redirect-uri http://127.0.0.1/callback
                  countersign admin client add web --grant authorization_code,refresh_token --redirect-uri https://app.example.com/done
                  countersign admin client add backend --confidential --grant client_credentials --scope "reports.read"
                  countersign admin client add bank --keys bank.jwks.json --grant client_credentials --dpop required
                  countersign admin client add hall --certificate-dns hall.example.com --grant client_credentials --dpop certificate
                  countersign admin client add pay --profile fapi2 --keys pay.jwks.json --grant authorization_code,refresh_token --redirect-uri https://pay.example.com/done
                  countersign admin client add desk --confidential --grant ciba,refresh_token
                  countersign admin client add api --confidential --no-grants --serves https://api.example.com
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Argument(help: "The client's identifier: 1 to 128 visible ASCII characters.")
        var id: String

        @Flag(exclusivity: .exclusive, help: "Whether the client can keep a secret. (default: public)")
        var kind: Kind?

        @OptionGroup var keyFile: ClientKeyFile
        @OptionGroup var certificate: ClientCertificateOptions
        @OptionGroup var facts: ClientFacts

        /// Whether a client has a secret.
        enum Kind: String, EnumerableFlag {
            case `public`, confidential
        }

        func output() async throws -> CommandOutput {
            let secret = kind == .confidential ? CodeMint(drawingFrom: .system).secret(ClientSecret.self) : nil
            let client = try client(holding: secret, keys: try keyFile.read(), certificate: try certificate.read())
            let missing = try await creation.allowed(in: admin.storage)
            do {
                try await admin.withStore(whenMissing: missing) { try await $0.clients.add(client) }
            } catch ClientRegistry.ChangeError.unfit(let sentence) {
                throw CommandError.usage(sentence)
            } catch StoreError.alreadyExists {
                throw CommandError("There is a client \(id) already.")
            }
            let words = secret.map { "\nIts secret, which is shown only now: \($0.revealed)" } ?? ""
            return CommandOutput(
                client.members.adding(Client.secretMember, secret?.revealed), "Added the client \(id).\(words)")
        }

        private func client(
            holding secret: ClientSecret?,
            keys: JSONWebKeySet?,
            certificate: CertificateCredential?
        ) throws -> Client {
            let proved: Client.Kind? = certificate.map { .certificate($0, signing: keys) } ?? keys.map { .keys($0) }
            guard kind == nil || proved == nil else {
                throw CommandError.usage("--public and --confidential do not go together with --keys or --certificate.")
            }
            do {
                return try facts.draft().client(
                    id, kind: proved ?? secret.map { .confidential($0.digest) } ?? .public,
                    created: TimeSource.system.now())
            } catch let refused as ClientDraftError {
                throw CommandError.usage("\(refused)")
            }
        }
    }
}
