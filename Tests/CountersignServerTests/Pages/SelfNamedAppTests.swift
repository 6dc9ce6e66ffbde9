import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// An app that registered itself may call itself anything, such as "Your Bank".
@Suite("The name of an app that registered itself")
struct SelfNamedAppTests {
    private static let doubt = "Not verified: the app gave itself this name."

    private func open(isSelfNamed: Bool, _ test: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.open(withApps: true) { server in
            if isSelfNamed {
                try await server.change { repositories in
                    var client = TestApps.shop.record(created: server.clock.date)
                    client.registration = .dynamic(
                        DynamicRegistration(
                            token: SecretDigest(of: "registration"), expires: nil, method: .clientSecretPost,
                            software: nil, allowance: .none))
                    try repositories.clients.update(client)
                }
            }
            try await test(server)
        }
    }

    @Test(arguments: [true, false])
    func `is called not verified on the sign-in page, unless the operator gave it`(isSelfNamed: Bool) async throws {
        try await open(isSelfNamed: isSelfNamed) { server in
            let sent = try await server.get("/authorize?\(TestApps.shop.request.form.encoded)")
            let page = try await server.get(try #require(sent.location))
            #expect(page.text.contains("The shop"))
            #expect(page.text.contains(Self.doubt) == isSelfNamed)
        }
    }

    @Test(arguments: [true, false])
    func `is called not verified on the account page, unless the operator gave it`(isSelfNamed: Bool) async throws {
        try await open(isSelfNamed: isSelfNamed) { server in
            let anna = try await server.browser(of: .anna)
            let code = try await anna.code(for: .shop)
            // An approval that waits, and what was allowed.
            let waiting = try await anna.get("account")
            #expect((waiting.text.components(separatedBy: Self.doubt).count - 1 >= 2) == isSelfNamed)
            _ = try await server.redeem(code, as: .shop)
            let page = try await anna.get("account")
            // The notice of the new sign-in, its entry, and what was allowed.
            #expect((page.text.components(separatedBy: Self.doubt).count - 1 >= 3) == isSelfNamed)
            #expect(page.text.contains(Self.doubt) == isSelfNamed)
        }
    }
}
