import AsyncHTTPClient
import CommandFixture
import CountersignWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// A server with a person, an app and a site.
struct AuthenticatorSite {
    let server: RunningServer
    let environment: String
    let secret: CustomerSiteSecret
    let person: PersonAtBrowser

    static func start() async throws -> AuthenticatorSite {
        let server = try await RunningServer.start()
        let command = server.command
        let scope = "openid offline_access nearby_approve"
        _ = try await command.run(
            "countersign admin client add phone --grant pre-authorized_code,refresh_token --scope '\(scope)'")
        _ = try await command.run("countersign admin user phone add anna +31612345678")
        let added = try await command.run("countersign admin site add 'My Bank' --json").output
        let members = try JSONSerialization.jsonObject(with: Data(added.utf8)) as? [String: Any]
        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try await person.submit("/login", ["username": "anna", "password": RunningServer.password])
        return AuthenticatorSite(
            server: server,
            environment: try #require(members?["id"] as? String),
            secret: CustomerSiteSecret(revealing: try #require(members?["secret"] as? String)),
            person: person
        )
    }

    func stop() async throws { _ = try await server.stop() }

    func run(_ line: String) async throws -> CommandUnderTest.Outcome { try await server.command.run(line) }

    func phone(_ words: String) async throws -> CommandUnderTest.Outcome {
        try await run("countersign authenticator \(words)")
    }

    func approve(_ words: String) async throws -> CommandUnderTest.Outcome {
        try await run("countersign approve \(words)")
    }

    /// The page with a new code of an authenticator.
    func pageWithCode() async throws -> String {
        try await person.open("/account")
        try await person.submit("/account/devices/add", [:])
        return await person.text
    }

    /// Keeps the code on a page as a picture in the home of the command.
    func save(_ page: String, as name: String) throws -> String {
        let picture = try #require(PictureOfCode(on: page))
        try picture.png.write(to: server.command.home.appendingPathComponent(name))
        return name
    }

    /// Hands the phone a message about a request, as the push service of its system does.
    func push(
        _ category: String,
        about request: [String: Any],
        _ flags: String = ""
    ) async throws -> CommandUnderTest.Outcome {
        let id = try #require(request["id"] as? String)
        let message = #"{"aps":{"category":"\#(category)"},"envId":"\#(environment)","authId":"\#(id)"}"#
        return try await server.command.run("countersign authenticator push \(flags)", input: message + "\n")
    }

    func enroll() async throws {
        let enrolled = try await phone(
            "enroll --client phone --picture \(try save(try await pageWithCode(), as: "c.png"))")
        #expect(enrolled.status == 0, "\(enrolled.output)")
    }

    /// The code in the text that was sent last.
    func codeInOutbox() async throws -> String {
        for _ in 0..<1200 {
            let outbox = try await run("countersign admin outbox list").output
            if let code = outbox.firstMatch(of: /\b\d{6}\b/) { return String(code.0) }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw RunningCommand.NeverPrinted(text: "a code")
    }

    func open(_ kind: String, expiry: Int = 300, geoip: String? = nil) async throws -> [String: Any] {
        let place = geoip.map { #","ip":"192.0.2.7","geoip":\#($0)"# } ?? ""
        let body = #"""
            {"environment_id":"\#(environment)","to":"+31612345678","expiry":\#(expiry),"message_type":"push"\#(place)}
            """#
        return try await call(.POST, "/auth/v1.0/\(kind)", body)
    }

    func status(of request: [String: Any]) async throws -> String? {
        let (id, kind) = try name(of: request)
        return try await call(.GET, "/auth/v1.0/\(kind)/\(id)", about: id)["auth_status"] as? String
    }

    func check(_ pin: String, of request: [String: Any]) async throws -> String? {
        let (id, kind) = try name(of: request)
        let answer = try await call(.PUT, "/auth/v1.0/\(kind)/\(id)", #"{"pin":"\#(pin)"}"#, about: id)
        return answer["auth_status"] as? String
    }

    private func name(of request: [String: Any]) throws -> (id: String, kind: String) {
        (try #require(request["id"] as? String), try #require(request["auth_type"] as? String))
    }

    private func call(
        _ method: HTTPMethod, _ path: String, _ body: String? = nil, about id: String? = nil
    ) async throws -> [String: Any] {
        let token = CustomerSiteToken.text(
            by: secret, request: id, body: body.map { Array($0.utf8) }, at: Date(), lifetime: 60)
        var request = HTTPClientRequest(url: server.base + path)
        request.method = method
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        request.headers.add(name: "content-type", value: "application/json; charset=utf-8")
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        #expect(response.status == .ok, "\(text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    func get(_ address: String) async throws -> String {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: address), timeout: .seconds(120))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}
