import CommandFixture
import Foundation
import TestShell
import Testing

@Suite("A server that runs")
struct ServeTests {
    @Test func `knows what an operator changes`() async throws {
        let server = try await RunningServer.start()
        #expect(try await server.post("/device_authorization", "client_id=radio").status == 401)
        try await server.administer("client add radio")
        #expect(try await server.post("/device_authorization", "client_id=radio").status == 200)
        try await server.administer("client remove radio --yes")
        #expect(try await server.post("/device_authorization", "client_id=radio").status == 401)

        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit("/login", ["username": "anna", "password": RunningServer.password])
        #expect(await person.text.contains("Anna Example"))
        try await server.administer("user lock anna")
        try await person.open("/account")
        #expect(await person.text.contains("name=\"password\""))
        _ = try await server.stop()
    }

    @Test func `is told by doctor from a proxy that answers in its place`() async throws {
        try await ProviderOnPort.with({ _ in ProviderOnPort.Answer(status: 502, body: "") }) { proxy in
            let stopped = try await CommandUnderTest().run(
                "countersign doctor --listen 127.0.0.1:0 --issuer \(proxy.base)")
            #expect(stopped.status == 0, "\(stopped.output)")
            let words = "note     server: The proxy at \(proxy.base) answers, the server behind it does not run.\n"
            #expect(stopped.output.contains(words), "\(stopped.output)")

            let server = try await RunningServer.start()
            let address = server.base.dropFirst("http://".count)
            let lost = try await server.command.run("countersign doctor --listen \(address) --issuer \(proxy.base)")
            #expect(lost.status == 1 && lost.output.contains("answers 502, and not as this server does."))
            _ = try await server.stop()
        }
    }

    @Test func `answers what it has begun and ends well when it is told to stop`() async throws {
        let server = try await RunningServer.start()
        let code = try await server.deviceCode()
        async let held = RunningServer.poll(at: server.base, code)
        try await server.shows("countersign_requests_waiting", 1)
        let outcome = try await server.stop()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try await held.contains("authorization_pending"))
    }

    @Test func `logs where the audit ends when it is told to stop, sealed so that it can be compared later`()
        async throws
    {
        let server = try await RunningServer.start()
        let outcome = try await server.stop()
        #expect(outcome.status == 0, "\(outcome.output)")
        let line = try #require(
            server.serving.printed.split(separator: "\n").last { $0.contains("the audit ends here") })
        let sealed = try #require(line.firstMatch(of: /sealed="?([-\w]+\.[-\w]+\.[-\w]+)/)).1
        let verified = try await server.command.run("countersign admin audit verify --head \(sealed)")
        #expect(verified.status == 0)
        #expect(verified.output.hasPrefix("The audit is sound up to "))
    }

    @Test func `says that it made another key of the audit, where a server ran before`() async throws {
        let server = try await RunningServer.start()
        _ = try await server.deviceCode()
        let said = "there was no key of the audit, so a new one signs its head"
        #expect(try await !server.stop().output.contains(said))
        let listing = "countersign admin audit list | grep -c audit_key.added"
        #expect(try await server.command.run(listing).output == "0\n")

        _ = try await server.command.run("rm data/countersign/audit-key.pem")
        let again = try server.command.start("exec countersign serve --listen 127.0.0.1:0")
        _ = try await again.addresses()
        #expect(again.printed.contains("level=warning message=\"\(said)"), "\(again.printed)")
        again.signal(SIGTERM)
        #expect(try await again.finish().status == 0)
        #expect(try await server.command.run(listing).output == "1\n")

        // A key that the operator makes is none that was there before, either.
        let seal = "rm data/countersign/audit-key.pem && countersign admin audit seal 2>&1 > sealed"
        #expect(try await server.command.run(seal).output.contains(said))
        #expect(try await server.command.run(listing).output == "2\n")
        #expect(try await server.command.run("countersign admin audit seal 2>&1 > sealed").output.isEmpty)
    }

    @Test func `keeps its word over a restart`() async throws {
        let server = try await RunningServer.start()
        let code = try await server.deviceCode()
        server.serving.signal(SIGKILL)
        _ = try await server.serving.finish()
        let again = try server.command.start("exec countersign serve --listen 127.0.0.1:0")
        let base = try await again.addresses().issuer
        #expect(try await RunningServer.poll(at: base, code, wait: 0).contains("authorization_pending"))
        again.signal(SIGTERM)
        #expect(try await again.finish().status == 0)
    }

    @Test func `says so when its address is taken`() async throws {
        let server = try await RunningServer.start()
        let address = server.base.dropFirst("http://".count)
        let outcome = try await CommandUnderTest().run("countersign serve --listen \(address)")
        #expect(outcome.status == 1)
        #expect(
            outcome.output
                == "countersign: Something else listens on \(address) already. Choose another with --listen.\n"
        )
        let second = try await CommandUnderTest().run(
            "countersign serve --listen 127.0.0.1:0 --operations-listen \(address)"
        )
        #expect(second.status == 1)
        #expect(
            second.output
                == "countersign: Something else listens on \(address) already. Choose another with --operations-listen.\n"
        )
        let doctor = try await CommandUnderTest().run(
            "countersign doctor --listen 127.0.0.1:0 --operations-listen \(address)"
        )
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("WRONG    address: Something else listens on \(address) already."))
        let itself = try await server.command.run("countersign doctor --listen \(address)")
        #expect(itself.status == 0, "\(itself.output)")
        let demo = try await CommandUnderTest().run("countersign demo --listen \(address)")
        #expect(demo.status == 1)
        #expect(
            demo.output
                == "countersign: Something else listens on \(address) already. Choose another with --listen.\n"
        )
        _ = try await server.stop()
    }

    @Test func `says in the log what has no effect and what many can reach`() async throws {
        let command = try CommandUnderTest()
        let serving = try command.start(
            """
            exec env COUNTERSIGN_LISTN=x COUNTERSIGN_TEST_ANYTHING=x countersign serve --listen 127.0.0.1:0 \
            --operations-listen 0.0.0.0:0 --trusted-proxies 10.0.0.7,0.0.0.0/0
            """
        )
        let operations = try #require(try await serving.addresses(operations: true).operations)
        let said = serving.printed
        for warning in [
            "COUNTERSIGN_LISTN is no setting, so it has no effect. Did you mean COUNTERSIGN_LISTEN?",
            "/metrics is answered on \(operations), to every client that reaches that address.",
            "0.0.0.0/0 is trusted, so almost any client can choose the address that it is logged with.",
        ] {
            #expect(said.contains("level=warning message=\"\(warning)\""), "\(said)")
        }
        #expect(!said.contains("COUNTERSIGN_TEST_ANYTHING"))
        serving.signal(SIGTERM)
        #expect(try await serving.finish().status == 0)
    }
}
