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

    @Test func `asks for the client of the host's users, too, and names the line that adds it`() async throws {
        let server = try await RunningServer.start()
        let good = try await secret(
            "host1 --grant ciba,device_code,refresh_token --scope 'openid profile groups'", at: server)
        func findings() async throws -> String {
            try await self.findings(for: "host1", good, with: #""public-client": "screens","#, at: server)
        }
        let without = try await findings()
        #expect(without.contains("ok       client: The server accepts host1."), "\(without)")
        for part in [
            "WRONG    client: The server does not accept the client screens without a secret.",
            #"countersign admin client add screens --grant device_code --scope "openid profile groups""#,
        ] {
            #expect(without.contains(part), "\(without)")
        }

        _ = try await server.administer("client add screens --grant refresh_token --scope 'openid profile'")
        let narrow = try await findings()
        for part in [
            "WRONG    client: The client screens may not use the grant type device_code, which shows codes.",
            "countersign admin client change screens --grant device_code",
        ] {
            #expect(narrow.contains(part), "\(narrow)")
        }

        _ = try await server.administer("client change screens --grant device_code --scope 'openid profile groups'")
        let accepted = try await findings()
        #expect(accepted.contains("ok       client: The server accepts screens."), "\(accepted)")
        _ = try await server.stop()
    }

    @Test func `finds that the server shows no number, which a rule demands`() async throws {
        let server = try await RunningServer.start()
        let secret = try await secret("host1 --grant ciba --scope 'openid profile'", at: server)
        func findings(_ evidence: String) async throws -> String {
            try await self.findings(
                for: "host1", secret, services: #"{"sudo": {"evidence": [\#(evidence)]}}"#, at: server)
        }
        let silent = try await findings(#""number""#)
        for part in [
            "WRONG    client: The client host1 may not ask people on their devices for number: the server says that no "
                + "approval there can prove enough.",
            "countersign admin client change host1 --back-channel-number on",
        ] {
            #expect(silent.contains(part), "\(silent)")
        }
        for evidence in ["", #""number", "device_key""#] {
            let accepted = try await findings(evidence)
            #expect(accepted.contains("ok       client: The server accepts host1."), "\(accepted)")
        }
        _ = try await server.administer("client change host1 --back-channel-number on")
        let shown = try await findings(#""number""#)
        #expect(shown.contains("ok       client: The server accepts host1."), "\(shown)")
        _ = try await server.stop()
    }

    @Test func `needs codes for users with several people, whom it cannot ask by name`() async throws {
        let server = try await RunningServer.start()
        let secret = try await secret("host1 --grant ciba --scope 'openid profile'", at: server)
        let file = server.command.home.appendingPathComponent("people")
        for (people, needsCodes) in [("root anna\n", false), ("root anna\nroot ben\ndeploy anna\n", true)] {
            try Data(people.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let found = try await findings(
                for: "host1", secret, with: #""people": "file:\#(file.path)","#, services: #"{"sudo": {}}"#, at: server)
            let sentence = "The client host1 may not use the grant type device_code, which shows codes."
            #expect(found.contains("WRONG    client: \(sentence)") == needsCodes, "\(found)")
            #expect(found.contains("The server accepts host1.") != needsCodes, "\(found)")
        }
        _ = try await server.stop()
    }

    /// Adds a confidential client, and returns its secret.
    private func secret(_ words: String, at server: RunningServer) async throws -> String {
        let added = try await server.administer("client add --confidential \(words)").output
        return String(try #require(added.firstMatch(of: /shown only now: (\S+)/), "\(added)").1)
    }

    private func findings(
        for client: String,
        _ secret: String,
        with members: String = "",
        services: String = #"{"sudo": {"groups": ["admins"], "ends-with-signout": true}}"#,
        at server: RunningServer
    ) async throws -> String {
        let home = server.command.home
        try Data(secret.utf8).write(to: home.appendingPathComponent("pam.secret"))
        let text = """
            {"issuer": "\(server.base)", "client": "\(client)", "secret-file": "\(home.path)/pam.secret",
             \(members) "services": \(services)}
            """
        try Data(text.utf8).write(to: home.appendingPathComponent("pam.json"))
        return try await server.command.run(
            "chmod 600 pam.secret; chmod 644 pam.json; countersign doctor pam --config pam.json"
        ).output
    }
}
