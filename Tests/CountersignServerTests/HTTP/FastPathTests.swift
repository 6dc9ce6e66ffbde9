import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

@Suite("The fast path", .server)
struct FastPathTests {
    let server = TestServer.current

    @Test(arguments: ["", "/id/here"])
    func `is the one that is given in full, byte for byte`(path: String) async throws {
        try await TestServer.open(issuer: "http://localhost:8080\(path)") { server in
            let codes = try await server.ask()
            let poll = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
            let asked: [(String, Form?)] = [
                ("token", poll), ("jwks", nil), (".well-known/oauth-authorization-server", nil),
                (".well-known/openid-configuration", nil),
            ]
            for (name, form) in asked { try await expectSame(name, form, at: server) }
        }
    }

    @Test func `tells a resource server of tokens, opaque and signed`() async throws {
        for client in [TestClients.console, .radio] {
            let tokens = try await server.signedIn(client)
            try await expectSame("introspect", try introspection(of: tokens.accessToken), at: server)
            var own = client.form
            own["token"] = tokens.accessToken.revealed
            if client.secret != nil { try await expectSame("introspect", own, at: server) }
        }
    }

    private func introspection(of token: AccessToken) throws -> Form {
        var form = TestClients.api.form
        form["token"] = token.revealed
        return form
    }

    private func expectSame(_ name: String, _ form: Form?, at server: TestServer) async throws {
        // Once to bring it to mind; a poll then has to wait for its interval.
        _ = try await full(name, form, at: server)
        server.clock.advance(by: .seconds(6))
        let expected = try await full(name, form, at: server)
        server.clock.advance(by: .seconds(6))
        let answer = try #require(server.quickly(name, form), "\(name) was not answered at once")
        #expect(answer.head.status == expected.status)
        #expect(answer.body == expected.body)
        var fields = answer.head.headerFields
        #expect(fields[.date] == HTTPDate.text(of: server.clock.date))
        fields[.date] = nil
        #expect(Set(fields.map(\.description)) == Set(expected.headers.map(\.description)))
    }

    private func full(_ name: String, _ form: Form?, at server: TestServer) async throws -> TestResponse {
        if let form { return try await server.post(server.path(name), form) }
        return try await server.get(server.path(name))
    }

    // MARK: What is not answered at once

    @Test func `is given where rows have to be looked up first, too`() async throws {
        var form = TestClients.console.form
        // The first use of an access token is noted in the store; a refresh token has none.
        form["token"] = try #require(try await server.signedIn(.console).refreshToken).revealed
        let answer = try #require(server.quickly("introspect", form))
        #expect(String(buffer: answer.body).contains(#""active":true"#))
        #expect(answer.body == (try await full("introspect", form, at: server)).body)
    }

    private static let unusual = [
        HTTPField(name: .cookie, value: "a=b"),
        HTTPField(name: .transferEncoding, value: "chunked"), HTTPField(name: .expect, value: "100-continue"),
        HTTPField(name: .host, value: "other.example"), HTTPField(name: .contentEncoding, value: "gzip"),
        HTTPField(name: .upgrade, value: "h2c"), HTTPField(name: .contentLength, value: "1"),
        HTTPField(name: .contentType, value: "application/x-www-form-urlencoded"),
    ]

    @Test func `is not given for anything but the everyday`() async throws {
        let token = try await server.signedIn().accessToken
        let form = try introspection(of: token)
        _ = try await server.post("/introspect", form)
        for field in Self.unusual {
            let answer = server.quickly("introspect", form, headers: [field.name: field.value])
            #expect(answer == nil, "\(field)")
        }
        #expect(server.quickly("introspect", form, authority: nil) == nil)
        for address in ["introspect", "jwks/", "jwks?a=b"] { #expect(server.quickly(address, nil) == nil) }
        #expect(server.quickly("introspect?token=a", form) == nil)
        #expect(server.quickly("introspect", form) != nil)
    }

    @Test(arguments: ["wrong secret", "no credentials", "public client", "no token"])
    func `is not given to mistakes`(mistake: String) async throws {
        let token = try await server.signedIn().accessToken
        let right = try introspection(of: token)
        var wrong = right
        switch mistake {
        case "wrong secret": wrong["client_secret"] = "wrong"
        case "no credentials": (wrong["client_id"], wrong["client_secret"]) = (nil, nil)
        case "public client": (wrong["client_id"], wrong["client_secret"]) = ("tv", nil)
        default: wrong["token"] = nil
        }
        for form in [right, wrong] { _ = try await server.post("/introspect", form) }
        #expect(server.quickly("introspect", right) != nil)
        #expect(server.quickly("introspect", wrong) == nil)
    }

    @Test func `is not given to polls that come too early, beside a held one, or after a decision`() async throws {
        let codes = try await server.ask()
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
        _ = try await server.post("/token", form)
        #expect(server.quickly("token", form) == nil)
        #expect(try await server.post("/token", form).error == .slowDown)
        server.clock.advance(by: .seconds(11))
        _ = try await server.post("/token", form)
        server.clock.advance(by: .seconds(11))
        #expect(server.quickly("token", form)?.head.status == .badRequest)
        #expect(server.quickly("token", form) == nil)
        server.clock.advance(by: .seconds(11))
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(server.quickly("token", form) == nil)
        #expect(try await server.post("/token", form).status == .ok)
    }

    @Test func `follows at once what was changed`() async throws {
        let tokens = try await server.signedIn(.console)
        let form = try introspection(of: tokens.accessToken)
        _ = try await server.post("/introspect", form)
        #expect(try active(server.quickly("introspect", form)) == true)
        try await server.lock(.anna)
        #expect(try active(server.quickly("introspect", form)) != true)
        #expect(try await server.introspect(tokens.accessToken.revealed, as: .api).active == false)
        #expect(try active(server.quickly("introspect", form)) != true)
    }

    private func active(_ answer: QuickAnswer?) throws -> Bool? {
        guard let answer else { return nil }
        return try JSONDecoder().decode(IntrospectionResponse.self, from: Data(answer.body.readableBytesView)).active
    }

    @Test(.server { $0.limits[.tokenPerAddress] = Limit(3, in: 600) })
    func `counts like any other, and ends with its limits`() async throws {
        let codes = try await server.ask()
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
        _ = try await server.post("/token", form)
        for _ in 0..<2 {
            server.clock.advance(by: .seconds(6))
            #expect(server.quickly("token", form) != nil)
        }
        server.clock.advance(by: .seconds(6))
        #expect(server.quickly("token", form)?.head.status == .tooManyRequests)
        #expect(try await server.post("/token", form).status == .tooManyRequests)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(1, in: 60) })
    func `goes on, there and elsewhere, while those who send what is wrong are blocked`() async throws {
        let codes = try await server.ask()
        let poll = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
        let introspected = try introspection(of: try await server.signedIn(.console).accessToken)
        for (path, form) in [("/token", poll), ("/introspect", introspected)] {
            _ = try await server.post(path, form)
        }
        server.clock.advance(by: .seconds(6))
        #expect(server.quickly("token", poll) != nil)

        let unknown = try TokenRequest.deviceCode(DeviceCode(revealing: "unknown")).form.with(TestClients.tv.form)
        var wrong = introspected
        wrong["client_secret"] = "wrong"
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: "192.0.2.66", port: 4711)
        for (path, form) in [("/token", unknown), ("/introspect", wrong)] {
            for _ in 0..<2 { _ = try await server.post(path, form, on: channel) }
            #expect(try await server.post(path, form, on: channel).status == .tooManyRequests)
        }
        for address in ["192.0.2.1", "192.0.2.66"] {
            server.clock.advance(by: .seconds(6))
            #expect(server.quickly("token", poll, from: address)?.head.status == .badRequest)
            #expect(server.quickly("introspect", introspected, from: address)?.head.status == .ok)
        }
    }

    @Test func `is the same when each answer is logged`() async throws {
        let log = RecordedLog()
        try await TestServer.open(logger: log.logger) { server in
            let codes = try await server.ask()
            let poll = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
            _ = try await server.post("/token", poll)
            server.clock.advance(by: .seconds(6))
            #expect(server.quickly("token", poll)?.head.status == .badRequest)
            log.clear()
            try await server.listening { port in
                let screen = try await RawConnection(port: port)
                server.clock.advance(by: .seconds(6))
                try await screen.send(RawConnection.post("/token", poll))
                #expect(try await screen.answer().status == 400)
                try await screen.close()
            }
            let answered = log.lines.filter { $0.message == "answered" }
            #expect(answered.map { $0.metadata["route"] } == ["/token"])
            #expect(answered.map { $0.metadata["status"] } == ["400"])
            #expect(answered.allSatisfy { $0.metadata["hb.request.id"]?.isEmpty == false })
        }
    }
}

extension TestServer {
    /// Asks for an answer at once.
    func quickly(
        _ name: String,
        _ form: Form?,
        headers: HTTPFields = [:],
        authority: String? = "localhost:8080",
        from peer: String = "192.0.2.1"
    ) -> QuickAnswer? {
        let body = ByteBuffer(string: form?.encoded ?? "")
        var fields = headers
        if form != nil {
            fields.append(HTTPField(name: .contentType, value: "application/x-www-form-urlencoded"))
            fields.append(HTTPField(name: .contentLength, value: String(body.readableBytes)))
        }
        let head = HTTPRequest(
            method: form == nil ? .get : .post,
            scheme: "http",
            authority: authority,
            path: path(name),
            headerFields: fields
        )
        guard let route = fastPath.route(of: head), let facts = FastPathRequest.Head(of: head) else { return nil }
        let request = FastPathRequest(head: facts, body: body, logger: fastPath.logger(), peer: peer)
        guard case .answer(let answer) = fastPath.outcome(of: request, at: route) else { return nil }
        return QuickAnswer(head: fastPath.head(of: answer, logger: fastPath.logger()), body: answer.body)
    }
}

/// An answer of the fast path as it goes out.
struct QuickAnswer {
    let head: HTTPResponse
    let body: ByteBuffer
}

/// A log that records its lines.
final class RecordedLog: Sendable {
    struct Line: Sendable {
        let message: String
        let metadata: [String: String]
    }

    private let recorded = Mutex<[Line]>([])

    var lines: [Line] { recorded.withLock { $0 } }
    /// A logger of the level `debug` that writes here.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    func clear() { recorded.withLock { $0 = [] } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let line = Line(message: event.message.description, metadata: all.mapValues(\.description))
            log.recorded.withLock { $0.append(line) }
        }
    }
}
