internal import ArgumentParser
internal import Countersign
internal import CountersignServer

extension ClientCommand {
    /// `countersign admin client change`
    struct Change: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Change a client; what is not named stays as it is.",
            discussion: """
                Codes, refresh tokens and access tokens are worth no more from then on than the client may have.

                Examples:
                  countersign admin client change tv --name "Kitchen TV"
                  countersign admin client change backend --scope "reports.read reports.write"
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<Client>
        @OptionGroup var keyFile: ClientKeyFile
        @OptionGroup var certificate: ClientCertificateOptions
        @OptionGroup var facts: ClientFacts

        func output() async throws -> CommandOutput {
            let keys = try keyFile.read()
            let certificate = try certificate.read()
            let draft = try facts.draft()
            let (client, isChanged) = try await named.refusing {
                try await admin.withStore { store in
                    try await store.clients.change(try named.id) { client in
                        if let certificate {
                            client.kind = .certificate(certificate, signing: keys ?? client.signingKeys)
                        } else if let keys {
                            client.kind = .keys(keys)
                        }
                        try draft.apply(to: &client)
                    }
                }
            }
            return client.output(changed: isChanged, as: client.id.rawValue)
        }
    }
}
