import CommandFixture
import Foundation
import Testing

@Suite("The command of a gate")
struct GateCommandTests {
    @Test func `checks a file whose address is taken, as by itself, and names the member when it starts`() async throws
    {
        let server = try await RunningServer.start()
        try await server.command.addGate()
        // The server knows the client then.
        _ = try await server.deviceCode()
        let address = server.base.dropFirst("http://".count)
        func run(_ options: String, acr: String) async throws -> (status: Int32, output: String) {
            let text = """
                {"issuer": "\(server.base)", "client-id": "gate", "client-secret-file": "secret", "listen": "\(address)",
                 "state": "gate-state", "original-request": "x-original",
                 "sites": [{"url": "https://photos.example.com", "rules": [{"acr": ["\(acr)"]}]}]}
                """
            try Data(text.utf8).write(to: server.command.home.appendingPathComponent("gate.json"))
            let outcome = try await server.command.run("countersign gate --config gate.json \(options)")
            return (outcome.status, outcome.output)
        }
        let good = try await run("--check", acr: "urn:countersign:acr:number")
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output == "gate.json is good: 1 site. The server accepts the gate.\n")
        let unknown = try await run("--check", acr: "urn:none")
        #expect(unknown.status == 1)
        let problem =
            "countersign: server: it does not support urn:none, which a rule of https://photos.example.com names in acr."
        #expect(unknown.output.hasPrefix(problem), "\(unknown.output)")
        let start = try await run("", acr: "urn:countersign:acr:number")
        #expect(start.status == 1)
        #expect(start.output == "countersign: gate.json: listen: Something else listens on \(address) already.\n")
        #expect(try await server.command.run("test -e gate-state").status == 1)
        _ = try await server.stop()
    }
}
