internal import ArgumentParser
internal import CountersignRequester
internal import Foundation

extension CredentialCommand {
    /// `countersign credential kubectl`
    struct Kubectl: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer kubectl and others as an exec plugin of Kubernetes.",
            discussion: """
                The kubeconfig needs "provideClusterInfo: true", so that kubectl says which API server the token is for; \
                'credential add' names its host. An API server that signs people in by OpenID Connect takes the ID token.

                    kubectl config set-credentials anna --exec-api-version=client.authentication.k8s.io/v1 \\
                        --exec-provide-cluster-info --exec-interactive-mode=IfAvailable \\
                        --exec-command=countersign --exec-arg=credential --exec-arg=kubectl
                """)

        @Option(help: "The token: id, or access for an API server behind a proxy or a webhook that takes it.")
        var token = ProgramToken.Kind.id

        @OptionGroup var options: CredentialOptions

        func run() async throws {
            try await ending {
                let asked = try ExecCredential(ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"])
                let host = try await options.storage.store().credentialHost(at: asked.server)
                    .or(failure: "\(asked.server) gets no tokens. Add it by 'countersign credential add'.")
                let interaction = asked.isInteractive ? HelperInteraction.allowed : .withoutTerminal
                try await untilInterrupted {
                    let source = try await CredentialSource(of: host, options: options, using: interaction)
                    try Terminal.sayJSON(asked.answer(try await source.token(token)), inOneLine: true)
                }
            }
        }
    }
}
