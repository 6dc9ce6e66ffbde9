import CommandFixture
import Foundation
import Testing

/// skopeo reads the configuration of docker, and calls its helpers.
@Suite("skopeo with the helper of docker")
struct DockerHelperTests {
    @Test func `is let in by the token of a sign-in, and by another one after a logout`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let registry = try await Self.registry(beside: site)
        try await site.add(registry.authority)
        let listing = Self.listing(at: registry)
        let outcome = try await site.run(listing)
        #expect(outcome.status == 0 && outcome.output.contains("\"evening\""), "\(outcome.output)")
        _ = try await registry.requests { $0.contains("/v2/kitchen/radio/tags/list accepted") }

        #expect(try await site.run("countersign token print > refused").status == 0)
        let refused = try await site.run(listing)
        #expect(refused.status == 1 && refused.output.contains("unauthorized"), "\(refused.output)")
        let logout = try await site.run("skopeo logout --authfile auth.json \(registry.authority)")
        #expect(logout.status == 0, "\(logout.output)")
        let again = try await site.run(listing)
        #expect(again.status == 0 && again.output.contains("\"evening\""), "\(again.output)")
        #expect(try await site.run("countersign token print | grep -cxFf refused").output == "0\n")
        try await registry.stop()
        try await site.stop()
    }

    @Test func `goes on without a token at a registry that was not named`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let registry = try await Self.registry(beside: site)
        try await site.add("registry.example.com")
        let outcome = try await site.run(Self.listing(at: registry))
        #expect(outcome.status == 1 && outcome.output.contains("unauthorized"), "\(outcome.output)")
        let requests = try await registry.requests { !$0.isEmpty }
        #expect(requests.allSatisfy { $0.hasSuffix("without a token") }, "\(requests)")
        try await registry.stop()
        try await site.stop()
    }

    @Test func `hears why when nobody is signed in and there is no terminal`() async throws {
        let site = try await CredentialSite.start()
        let registry = try await Self.registry(beside: site)
        try await site.add(registry.authority)
        let outcome = try await site.run(Self.listing(at: registry))
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "countersign: Nobody is signed in at \(site.server.base), and nobody can be asked from here."),
            "\(outcome.output)")
        #expect(registry.requests.allSatisfy { $0.hasSuffix("without a token") })
        try await registry.stop()
        try await site.stop()
    }

    @Test func `logs in with a token, which is stored nowhere else`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let registry = try await Self.registry(beside: site)
        try await site.add(registry.authority)
        let login = try await site.run(
            """
            countersign token print | skopeo login --authfile auth.json --cert-dir certificates --username oauth2 \
            --password-stdin \(registry.authority)
            """)
        #expect(login.status == 0 && login.output.contains("Login Succeeded!"), "\(login.output)")
        #expect(login.output.contains("countersign: Passwords are not stored: \(registry.address) gets tokens of"))
        _ = try await registry.requests { $0.contains("/v2/ accepted") }
        #expect(try await site.run("countersign token print | grep -cFf - auth.json").output == "0\n")
        let name = try await site.run("skopeo login --authfile auth.json --get-login \(registry.authority)")
        #expect(name.status == 0 && name.output == "oauth2\n", "\(name.output)")
        try await registry.stop()
        try await site.stop()
    }

    private static func listing(at registry: CredentialService) -> String {
        """
        skopeo list-tags --authfile auth.json --cert-dir certificates docker://\(registry.authority)/kitchen/radio
        """
    }

    /// A registry with one image, and the configuration that names the helper for it.
    private static func registry(beside site: CredentialSite) async throws -> CredentialService {
        try await site.makeCertificate()
        let registry = try await CredentialService.start("image_registry.py cert.pem key.pem", beside: site)
        let configuration = #"{"credHelpers": {"\#(registry.authority)": "countersign"}}"#
        let home = site.server.command.home
        try Data(configuration.utf8).write(to: home.appendingPathComponent("auth.json"))
        #expect(try await site.run("mkdir certificates && cp cert.pem certificates/ca.crt").status == 0)
        return registry
    }
}
