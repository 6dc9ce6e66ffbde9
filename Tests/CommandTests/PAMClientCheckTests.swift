import CommandFixture
import Foundation
import Testing

@Suite("The check of a host's client", .timeLimit(.minutes(2)))
struct PAMClientCheckTests {
    @Test func `asks the server for the client, its secret, its grant types and its scope`() async throws {
        let server = try await RunningServer.start()
        let good = try await secret(
            "host1 --grant ciba,device_code,refresh_token --scope 'openid profile groups'", at: server)
        let narrow = try await secret("host2 --grant device_code --scope 'openid profile'", at: server)

        let accepted = try await findings(for: "host1", good, at: server)
        #expect(accepted.contains("ok       server: \(server.base) answers."), "\(accepted)")
        #expect(accepted.contains("ok       client: The server accepts host1."), "\(accepted)")

        for (client, secret) in [("host1", narrow), ("nobody", good)] {
            let refused = try await findings(for: client, secret, at: server)
            let sentence = "The server does not accept the client \(client) with its secret."
            #expect(refused.contains("WRONG    client: \(sentence)"), "\(refused)")
            #expect(!refused.contains("accepts"), "\(refused)")
        }

        let less = try await findings(for: "host2", narrow, at: server)
        for part in [
            "may not use the grant type ciba, which asks people on their devices.",
            "may not use the grant type refresh_token, which ends-with-signout needs.",
            "may not have the scope groups.",
        ] {
            #expect(less.contains("WRONG    client: The client host2 \(part)"), "\(less)")
        }
        #expect(!less.contains("the grant type device_code") && !less.contains("the scope profile"), "\(less)")
        _ = try await server.stop()
    }

    /// Adds a confidential client, and returns its secret.
    private func secret(_ words: String, at server: RunningServer) async throws -> String {
        let added = try await server.administer("client add --confidential \(words)").output
        return String(try #require(added.firstMatch(of: /shown only now: (\S+)/), "\(added)").1)
    }

    private func findings(for client: String, _ secret: String, at server: RunningServer) async throws -> String {
        let home = server.command.home
        try Data(secret.utf8).write(to: home.appendingPathComponent("pam.secret"))
        let services = #"{"sudo": {"groups": ["admins"], "ends-with-signout": true}}"#
        let text = """
            {"issuer": "\(server.base)", "client": "\(client)", "secret-file": "\(home.path)/pam.secret",
             "services": \(services)}
            """
        try Data(text.utf8).write(to: home.appendingPathComponent("pam.json"))
        return try await server.command.run(
            "chmod 600 pam.secret; chmod 644 pam.json; countersign doctor pam --config pam.json"
        ).output
    }
}
