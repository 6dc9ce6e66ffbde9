import CommandFixture
import Countersign
import Foundation
import Testing

@testable import CountersignCommand

@Suite("A link of the command")
struct LinkAddressTests {
    @Test func `leads to the server that last ran with the database, which sends its mails`() async throws {
        let server = try await RunningServer.start(
            "--issuer https://id.example.com --trusted-proxies 127.0.0.1 --mail outbox")
        let command = server.command
        let shown = try await command.run("countersign admin user reset anna --link")
        #expect(shown.output.contains("https://id.example.com/link#"), "\(shown.output)")
        let mailed = try await command.run("countersign admin user invite --email carla@example.org")
        #expect(mailed.status == 0 && mailed.output.contains("on its way by mail"), "\(mailed.output)")
        _ = try await server.stop()

        // Also while it does not run, and other settings come first.
        let stopped = try await command.run("countersign admin user invite --link")
        #expect(stopped.output.contains("https://id.example.com/link#"), "\(stopped.output)")
        let named = try await command.run("countersign admin user invite --link --issuer https://other.example.com")
        #expect(named.output.contains("https://other.example.com/link#"), "\(named.output)")
        let variable = try await command.run(
            "COUNTERSIGN_MAIL=off countersign admin user invite --email dora@example.org")
        #expect(variable.status == 64 && variable.output.contains("No gateway for mails is set"), "\(variable.output)")
        let elsewhere = try await command.run("countersign admin user invite --link --create --data other")
        #expect(elsewhere.status == 64 && elsewhere.output.contains("no server has run"), "\(elsewhere.output)")
    }

    @Test func `leads to the usual address of a server without settings, once that has run`() async throws {
        let server = try await RunningServer.start()
        let shown = try await server.command.run("countersign admin user reset anna --link")
        #expect(shown.output.contains("\(server.base)/link#"), "\(shown.output)")
        let listening = try await server.command.run(
            "COUNTERSIGN_LISTEN=127.0.0.1:9 countersign admin user reset anna --link --data elsewhere")
        #expect(listening.output.contains("There is no database in"), "\(listening.output)")
        _ = try await server.stop()
    }
}
