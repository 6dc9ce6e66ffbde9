import AsyncHTTPClient
import CommandFixture
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import TestShell
import Testing

/// A server that runs as a program of its own, with TLS of its own.
private struct EncryptedServer {
    let command: CommandUnderTest
    let serving: RunningCommand
    let base: String
    let operations: String

    static func start() async throws -> EncryptedServer {
        let command = try CommandUnderTest()
        _ = try await command.run("countersign admin client add tv")
        try await makePair("first", in: command)
        try await makePair("second", in: command)
        _ = try await command.run("cp first.pem server.pem; cp -p first.key server.key")
        let serving = try command.start(
            """
            exec countersign serve --listen 127.0.0.1:0 --operations-listen 127.0.0.1:0 \
            --tls-certificate server.pem --tls-key server.key
            """
        )
        let addresses = try await serving.addresses(operations: true)
        return EncryptedServer(
            command: command,
            serving: serving,
            base: addresses.issuer,
            operations: "http://\(try #require(addresses.operations))"
        )
    }

    private static func makePair(_ name: String, in command: CommandUnderTest) async throws {
        let made = try await command.run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout \(name).key -out \(name).pem && chmod 600 \(name).key
            """
        )
        #expect(made.status == 0, "\(made.output)")
    }

    /// Somebody who believes one certificate and no other.
    func visitor(believing name: String, _ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        let file = command.home.appendingPathComponent("\(name).pem").path
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
        change(&tls)
        return HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(tlsConfiguration: tls)
        )
    }

    /// Posts a form as the visitor, and returns the body of the answer.
    func post(_ path: String, _ form: String, prefer: String? = nil, by visitor: HTTPClient) async throws -> String {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if let prefer { request.headers.add(name: "prefer", value: prefer) }
        request.body = .bytes(ByteBuffer(string: form))
        let response = try await visitor.execute(request, timeout: .seconds(120))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    /// Waits until the figures of the server hold a line.
    func figures(hold line: String) async throws {
        var text = ""
        for _ in 0..<4000 {
            let request = HTTPClientRequest(url: "\(operations)/metrics")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            text = String(buffer: try await response.body.collect(upTo: 1 << 20))
            if text.contains("\n\(line)\n") { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("never was there \(line) in\n\(text)")
    }

    func status(to visitor: HTTPClient) async throws -> UInt {
        let request = HTTPClientRequest(url: "\(base)/.well-known/openid-configuration")
        let response = try await visitor.execute(request, timeout: .seconds(120))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.status.code
    }
}

@Suite("A server with TLS of its own")
struct TLSTests {
    @Test func `takes a new certificate without ending a connection, and keeps the old one when that is no good`()
        async throws
    {
        let server = try await EncryptedServer.start()
        let early = try server.visitor(believing: "first")
        let late = try server.visitor(believing: "second")
        #expect(try await server.status(to: early) == 200)
        await #expect(throws: (any Error).self) { try await server.status(to: late) }

        _ = try await server.command.run("cp second.pem server.pem; cp second.key server.key")
        server.serving.signal(SIGHUP)
        _ = try await server.serving.printed { $0.contains("took the new TLS certificate") }
        #expect(try await server.status(to: late) == 200)
        // On a new connection this one would find a certificate that it does not believe.
        #expect(try await server.status(to: early) == 200)

        _ = try await server.command.run("echo nonsense > server.pem")
        server.serving.signal(SIGHUP)
        _ = try await server.serving.printed { $0.contains("kept the old TLS certificate") }
        let another = try server.visitor(believing: "second")
        #expect(try await server.status(to: another) == 200)

        for visitor in [early, late, another] { try await visitor.shutdown() }
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }

    @Test func `is found by doctor, which says when it cannot make sure who answers`() async throws {
        let server = try await EncryptedServer.start()
        let address = server.base.replacing("https://localhost", with: "127.0.0.1")
        let examined = try await server.command.run(
            "countersign doctor --listen \(address) --tls-certificate server.pem --tls-key server.key"
        )
        #expect(
            examined.output.contains("It answers at \(server.base), but this machine cannot verify its certificate."))
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }

    @Test func `is trusted by signin where a file holds its certificate, and only there`() async throws {
        let server = try await EncryptedServer.start()
        let signin = "countersign signin --issuer \(server.base) --client tv --scope profile --only code"
        for line in ["exec \(signin) --ca-file first.pem", "SSL_CERT_FILE=first.pem exec \(signin)"] {
            let trusting = try server.command.start(line)
            _ = try await trusting.printed { $0.contains("works until") }
            trusting.signal(SIGINT)
            #expect(try await trusting.finish().status == 130)
        }
        let wrong = try server.command.start("exec \(signin) --ca-file second.pem")
        _ = try await wrong.printed { $0.contains("certificate could not be verified") }
        wrong.signal(SIGINT)
        #expect(try await !wrong.finish().output.contains("works until"))
        for (file, words) in [("nowhere.pem", "cannot be read"), ("first.key", "no certificate")] {
            let refused = try await server.command.run("\(signin) --ca-file \(file)")
            #expect(refused.status == 1 && refused.output.contains(words), "\(refused.output)")
        }
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }

    @Test func `is trusted by a gate whose file names its certificate, and says which sites it leads back to`()
        async throws
    {
        let server = try await EncryptedServer.start()
        try await server.command.addGate()
        func check(trusting file: String, _ sites: String...) async throws -> (status: Int32, output: String) {
            let list = sites.map { #"{"url": "https://\#($0)"}"# }.joined(separator: ", ")
            let text = """
                {"issuer": "\(server.base)", "client-id": "gate", "client-secret-file": "secret", "ca-file": "\(file)",
                 "state": "gate-state", "original-request": "x-original", "sites": [\(list)]}
                """
            try Data(text.utf8).write(to: server.command.home.appendingPathComponent("gate.json"))
            let outcome = try await server.command.run("countersign gate --config gate.json --check")
            return (outcome.status, outcome.output)
        }
        let good = try await check(trusting: "first.pem", "photos.example.com")
        #expect(good.status == 0 && good.output.contains("The server accepts the gate."), "\(good.output)")
        let other = try await check(trusting: "first.pem", "photos.example.com", "films.example.com")
        let refusal = "https://films.example.com/gate/callback: invalid_request (the redirect_uri is not registered)"
        #expect(other.status == 1 && other.output.contains(refusal), "\(other.output)")
        let wrong = try await check(trusting: "second.pem", "photos.example.com")
        #expect(wrong.status == 1 && wrong.output.contains("is not trusted. Name the certificate"), "\(wrong.output)")
        #expect(try await server.command.run("test -e gate-state").status == 1)
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }

    @Test func `says in the log that its certificate has ended`() async throws {
        let command = try CommandUnderTest()
        let made = try await command.run(
            """
            printf '%s\n' '[ca]' default_ca=it '[it]' database=index serial=serial new_certs_dir=. default_md=sha256 \
            policy=any x509_extensions=names '[any]' commonName=supplied '[names]' subjectAltName=DNS:localhost > ca.cnf
            touch index && echo 01 > serial && openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
            -subj /CN=localhost -keyout server.key -out server.csr && chmod 600 server.key && openssl ca -batch \
            -config ca.cnf -selfsign -keyfile server.key -in server.csr -out server.pem -notext \
            -startdate 20200101000000Z -enddate 20210101000000Z
            """
        )
        #expect(made.status == 0, "\(made.output)")
        let serving = try command.start(
            "exec countersign serve --listen 127.0.0.1:0 --tls-certificate server.pem --tls-key server.key"
        )
        let said = try await serving.printed { $0.contains("press Ctrl-C") }
        #expect(said.contains("level=warning message=\"The TLS certificate ended 2021-01-01T00:00:00Z. Renew it.\""))
        serving.signal(SIGTERM)
        #expect(try await serving.finish().status == 0)
    }

    @Test func `refuses versions of TLS that are no longer safe`() async throws {
        let server = try await EncryptedServer.start()
        let old = try server.visitor(believing: "first") { tls in
            tls.minimumTLSVersion = .tlsv1
            tls.maximumTLSVersion = .tlsv11
        }
        await #expect(throws: (any Error).self) { try await server.status(to: old) }
        let fair = try server.visitor(believing: "first") { $0.maximumTLSVersion = .tlsv12 }
        #expect(try await server.status(to: fair) == 200)
        for visitor in [old, fair] { try await visitor.shutdown() }
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }

    @Test func `notices when a screen leaves that waits`() async throws {
        let server = try await EncryptedServer.start()
        let visitor = try server.visitor(believing: "first")
        let codes = try await server.post("/device_authorization", "client_id=tv", by: visitor)
        let code = try #require(codes.firstMatch(of: /"device_code":"([^"]+)"/)).1
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        let form = "client_id=tv&grant_type=\(grant)&device_code=\(code)"
        let held = Task { try await server.post("/token", form, prefer: "wait=55", by: visitor) }
        try await server.figures(hold: "countersign_requests_waiting 1")
        held.cancel()
        try await server.figures(hold: "countersign_requests_waiting 0")
        _ = await held.result
        try await visitor.shutdown()
        server.serving.signal(SIGTERM)
        #expect(try await server.serving.finish().status == 0)
    }
}
