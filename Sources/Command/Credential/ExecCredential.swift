internal import FoundationEssentialsCompat

/// The question of kubectl to a plugin, in `KUBERNETES_EXEC_INFO`, and the plugin's answer.
///
/// Standard: client.authentication.k8s.io/v1 and v1beta1 (`ExecCredential`).
struct ExecCredential: Sendable, Equatable {
    /// The version that kubectl speaks, such as `client.authentication.k8s.io/v1`.
    let apiVersion: String
    /// Whether a person is there to be asked.
    let isInteractive: Bool
    /// The API server that the token is for.
    let server: CredentialOrigin

    /// The versions that are known.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    private struct Question: Decodable {
        struct Specification: Decodable {
            struct Cluster: Decodable {
                let server: String
                let isUnverified: Bool?

                enum CodingKeys: String, CodingKey {
                    case server
                    case isUnverified = "insecure-skip-tls-verify"
                }
            }

            let interactive: Bool?
            let cluster: Cluster?
        }

        let apiVersion: String
        let spec: Specification?
    }

    /// Reads the question.
    ///
    /// - Parameter variable: The value of the variable; `nil` where it is not set.
    /// - Throws: a ``CommandError`` for a version that is not known, for what is no question, and for one that does not say
    ///   which API server the token is for, or that kubectl does not verify it.
    init(_ variable: String?) throws(CommandError) {
        let variable = try variable.or(usage: "KUBERNETES_EXEC_INFO is missing. Let kubectl call this command.")
        let question = try (try? JSONDecoder().decode(Question.self, from: Data(variable.utf8))).or(
            failure: "KUBERNETES_EXEC_INFO is no ExecCredential. Let kubectl call this command.")
        guard Self.known.contains(question.apiVersion) else {
            throw CommandError(
                """
                kubectl asks in \(question.apiVersion.shown), which is not known here. Write "apiVersion: \(Self.known[0])" \
                into the kubeconfig.
                """)
        }
        apiVersion = question.apiVersion
        isInteractive = question.spec?.interactive ?? true
        let cluster = try (question.spec?.cluster).or(
            failure: """
                kubectl does not say which API server the token is for. Write "provideClusterInfo: true" beside "command" \
                in the kubeconfig.
                """)
        // kubectl reads an address without a scheme as http or https, depending on what else the kubeconfig has.
        server = try CredentialOrigin(address: cluster.server).or(
            failure:
                "\(cluster.server.shown) is not the https:// address of an API server. Write that into the kubeconfig.")
        guard cluster.isUnverified != true else {
            throw CommandError(
                "The kubeconfig lets \(server) go unverified. Name its certificate-authority there; it gets no token.")
        }
    }

    /// The answer with a token.
    func answer(_ token: ProgramToken) -> Answer {
        Answer(
            apiVersion: apiVersion,
            status: Answer.Status(
                expirationTimestamp: token.expires?.formatted(.iso8601), token: token.revealed))
    }

    struct Answer: Encodable {
        struct Status: Encodable {
            let expirationTimestamp: String?
            let token: String
        }

        let apiVersion: String
        let kind = "ExecCredential"
        let status: Status
    }
}
