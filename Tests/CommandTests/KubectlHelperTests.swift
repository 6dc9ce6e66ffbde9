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
        let versions = try await Self.versions(beside: site)
        for version in versions {
            try await configure(server, "--token", kind, speaking: version, beside: site)
            let outcome = try await site.run("kubectl --kubeconfig config.json get namespaces")
            #expect(outcome.status == 0 && outcome.output.contains("kitchen"), "\(version): \(outcome.output)")
        }
        let listing = "/api/v1/namespaces?limit=500 accepted"
        let requests = try await server.requests { $0.count { $0 == listing } >= versions.count }
        #expect(requests.count { $0 == listing } == versions.count)
        #expect(requests.allSatisfy { $0.hasSuffix("accepted") }, "\(requests)")
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
        try await site.makeCertificate()
        return try await CredentialService.start("kubernetes_api.py cert.pem key.pem \(kind)", beside: site)
    }

    /// The versions of the plugin's interface that the kubectl of this machine knows: `v1` since 1.22.
    private static func versions(beside site: CredentialSite) async throws -> [String] {
        let told = try await site.run("kubectl version --client --output json").output
        let minor = try #require(told.firstMatch(of: /"minor": "(\d+)/)).1
        return try #require(Int(minor)) < 22 ? ["v1beta1"] : ["v1beta1", "v1"]
    }

    /// Writes the kubeconfig, which JSON is a form of.
    private func configure(
        _ server: CredentialService,
        _ arguments: String...,
        speaking version: String = "v1beta1",
        telling isTold: Bool = true,
        beside site: CredentialSite
    ) async throws {
        let words = (["credential", "kubectl"] + arguments).map { "\"\($0)\"" }.joined(separator: ",")
        let config = """
            {"apiVersion":"v1","kind":"Config","current-context":"kitchen",
            "contexts":[{"name":"kitchen","context":{"cluster":"kitchen","user":"anna"}}],
            "clusters":[{"name":"kitchen","cluster":{"server":"\(server.address)","certificate-authority":"cert.pem"}}],
            "users":[{"name":"anna","user":{"exec":{"apiVersion":"client.authentication.k8s.io/\(version)",
            "command":"countersign","args":[\(words)],"provideClusterInfo":\(isTold),"interactiveMode":"Never"}}}]}
            """
        try Data(config.utf8).write(to: site.server.command.home.appendingPathComponent("config.json"))
    }
}
