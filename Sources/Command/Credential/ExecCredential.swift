internal import FoundationEssentialsCompat

/// The question of kubectl to a plugin, in `KUBERNETES_EXEC_INFO`, and the plugin's answer.
///
/// Standard: client.authentication.k8s.io/v1 and v1beta1 (`ExecCredential`).
struct ExecCredential: Sendable, Equatable {
    /// The version that kubectl speaks, such as `client.authentication.k8s.io/v1`.
    let apiVersion: String
    /// Whether a person is there to be asked.
    let isInteractive: Bool
    /// The address of the API server; `nil` where kubectl does not tell it.
    let server: String?

    /// The versions that are known.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    private struct Question: Decodable {
        struct Specification: Decodable {
            struct Cluster: Decodable { let server: String? }

            let interactive: Bool?
            let cluster: Cluster?
        }

        let apiVersion: String
        let spec: Specification?
    }

    /// Reads the question.
    ///
    /// - Parameter variable: The value of the variable; `nil` where an older kubectl sets none.
    /// - Throws: a ``CommandError`` for a version that is not known, and for what is no question.
    init(_ variable: String?) throws(CommandError) {
        guard let variable else {
            (apiVersion, isInteractive, server) = (Self.known[1], true, nil)
            return
        }
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
        server = question.spec?.cluster?.server
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
