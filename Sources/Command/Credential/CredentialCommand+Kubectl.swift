internal import ArgumentParser
internal import CountersignRequester
internal import Foundation

extension CredentialCommand {
    /// `countersign credential kubectl`
    struct Kubectl: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer kubectl and others as an exec plugin of Kubernetes.",
            discussion: """
                The host is that of the API server, as 'credential add' named it. Where the kubeconfig has \
                "provideClusterInfo: true" it need not be given, and one that is given has to be the same. An API server \
                that signs people in by OpenID Connect takes the ID token.
                """)

        @Argument(help: "The host of the API server, such as kube.example.com:6443.")
        var host: String?

        @Option(help: "The token: id, or access for an API server behind a proxy or a webhook that takes it.")
        var token = ProgramToken.Kind.id

        @OptionGroup var options: CredentialOptions

        func run() async throws {
            try await ending {
                let asked = try ExecCredential(ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"])
                let origins = try origins(asked)
                let host = try await options.storage.store().credentialHost(among: origins)
                    .or(failure: "\(origins[0]) gets no tokens. Add it by 'countersign credential add'.")
                let terminal = asked.isInteractive ? TerminalUse.allowed : .forbidden
                try await untilInterrupted {
                    let source = try await CredentialSource(of: host, options: options, using: terminal)
                    try Terminal.sayJSON(asked.answer(try await source.token(token)), inOneLine: true)
                }
            }
        }

        /// The origins that the API server may have; at least one.
        private func origins(_ asked: ExecCredential) throws -> [CredentialOrigin] {
            let named = host.map(CredentialOrigin.candidates)
            let told = asked.server.map { CredentialOrigin(address: $0) }
            guard named?.isEmpty != true else { throw CommandError.usage(CredentialOrigin.refusal(of: host ?? "")) }
            switch (named, told) {
            case (let named?, nil): return named
            case (nil, let told??): return [told]
            case (let named?, let told??) where named.contains(told): return [told]
            case (let named?, let told??):
                throw CommandError("kubectl asks for \(told), and the kubeconfig names \(named[0]). It gets no token.")
            case (_, .some(nil)): throw CommandError(CredentialOrigin.refusal(of: asked.server ?? ""))
            case (nil, nil):
                throw CommandError.usage("Name the host of the API server, or write \"provideClusterInfo: true\".")
            }
        }
    }
}
