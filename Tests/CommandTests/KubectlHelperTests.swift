import CommandFixture
import Foundation
import Testing

@Suite("kubectl with the helper")
struct KubectlHelperTests {
    @Test(arguments: ["id", "access"])
    func `is let in by the token that the API server wants`(kind: String) async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let server = try await Self.server(wanting: kind, beside: site)
        try await site.add(server.authority)
        try await configure(server, "--token", kind, beside: site)
        let outcome = try await site.run("kubectl --kubeconfig config.json get namespaces")
        #expect(outcome.status == 0 && outcome.output.contains("kitchen"), "\(outcome.output)")
        #expect(server.requests.contains("/api/v1/namespaces?limit=500 accepted"))
        #expect(server.requests.allSatisfy { $0.hasSuffix("accepted") }, "\(server.requests)")
        try await server.stop()
        try await site.stop()
    }

    @Test func `gets no token for a server that was not named`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let server = try await Self.server(wanting: "access", beside: site)
        try await site.add("kube.example.com")
        try await configure(server, "--token", "access", beside: site)
        let outcome = try await site.run("kubectl --kubeconfig config.json get namespaces")
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("\(server.address) gets no tokens."), "\(outcome.output)")
        #expect(server.requests.allSatisfy { $0.hasSuffix("refused") }, "\(server.requests)")
        try await server.stop()
        try await site.stop()
    }

    @Test func `gets no token where the kubeconfig keeps the server from the helper`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let server = try await Self.server(wanting: "access", beside: site)
        try await site.add(server.authority)
        try await configure(server, "--token", "access", telling: false, beside: site)
        let outcome = try await site.run("kubectl --kubeconfig config.json get namespaces")
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("kubectl does not say which API server the token is for."), "\(outcome.output)")
        #expect(server.requests.allSatisfy { $0.hasSuffix("refused") }, "\(server.requests)")
        try await server.stop()
        try await site.stop()
    }

    private static func server(wanting kind: String, beside site: CredentialSite) async throws -> CredentialService {
        let made = try await site.run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem \
            -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1
            """)
        #expect(made.status == 0, "\(made.output)")
        return try await CredentialService.start("kubernetes_api.py cert.pem key.pem \(kind)", beside: site)
    }

    /// Writes the kubeconfig, which JSON is a form of; the versions of Debian's kubectl know v1beta1.
    private func configure(
        _ server: CredentialService,
        _ arguments: String...,
        telling isTold: Bool = true,
        beside site: CredentialSite
    ) async throws {
        let words = (["credential", "kubectl"] + arguments).map { "\"\($0)\"" }.joined(separator: ",")
        let config = """
            {"apiVersion":"v1","kind":"Config","current-context":"kitchen",
            "contexts":[{"name":"kitchen","context":{"cluster":"kitchen","user":"anna"}}],
            "clusters":[{"name":"kitchen","cluster":{"server":"\(server.address)","certificate-authority":"cert.pem"}}],
            "users":[{"name":"anna","user":{"exec":{"apiVersion":"client.authentication.k8s.io/v1beta1",
            "command":"countersign","args":[\(words)],"provideClusterInfo":\(isTold),"interactiveMode":"Never"}}}]}
            """
        try Data(config.utf8).write(to: site.server.command.home.appendingPathComponent("config.json"))
    }
}
