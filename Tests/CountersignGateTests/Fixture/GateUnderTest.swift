import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import CountersignGate

/// A gate before the site `http://localhost`, with a server, a clock and a folder of its own.
struct GateUnderTest {
    static let origin = "http://localhost"

    let clock = ManualClock()
    let server: GateServer
    let folder: URL
    let configuration: GateConfiguration

    private static let logger = Logger(label: "gate") { _ in SwiftLogNoOpLogHandler() }

    private static let rules = """
        {"path": "/share/*", "methods": ["GET"], "public": true},
        {"path": "/admin/*", "groups": ["admins"]},
        {"path": "/vault/*", "acr": ["urn:countersign:acr:passkey"], "max-age": 300},
        {"path": "/api/*", "bearer": true, "scope": "photos"},
        {"path": "/team/*", "bearer": true, "groups": ["family"]}
        """

    init(
        dialect: String = "x-forwarded", audience: String = "https://photos.example.com", more: String = ""
    ) throws {
        server = GateServer(clock)
        folder = FileManager.default.temporaryDirectory.appending(component: "countersign-gate-\(UUID())")
        configuration = try Self.configuration(
            #""state": "\#(folder.path)", "original-request": "\#(dialect)", \#(more)"#, audience: audience)
    }

    static func configuration(
        _ members: String, audience: String = "https://photos.example.com"
    ) throws -> GateConfiguration {
        let text = """
            {"issuer": "\(GateServer.issuer)", "client-id": "gate", "client-secret-file": "/dev/null", \(members)
             "sites": [{"url": "\(origin)", "audience": "\(audience)", "rules": [\(rules)]},
                       {"url": "https://films.example.com"}]}
            """
        return try GateConfiguration(reading: Data(text.utf8))
    }

    /// Runs requests against a gate; another one of the same test is the process after a restart.
    func with(_ body: @escaping @Sendable (GateClient) async throws -> Void) async throws {
        let gate = try Gate(
            configuration, secret: ClientSecret(revealing: "secret"), over: server, clock: clock.source,
            random: .system, logger: Self.logger)
        let application = Application(responder: gate.responder)
        try await application.test(.router) { client in
            try await body(GateClient(framework: client, test: self))
        }
    }

    /// The files with sessions.
    var files: SessionFiles { SessionFiles(in: folder.path, logger: Self.logger) }

    /// Sessions without the rest of a gate.
    var sessions: GateSessions {
        let provider = GateProvider(
            configuration.issuer, as: configuration.client, secret: ClientSecret(revealing: "secret"), over: server,
            clock: clock.source)
        let verifier = SignInVerifier(provider, for: configuration.client)
        return GateSessions(
            configuration, in: files,
            checking: SessionCheck(provider: provider, verifier: verifier, clock: clock.source), clock: clock.source,
            logger: Self.logger)
    }

    /// The findings of a look at the server.
    func findings() async -> [GateFinding] {
        let check = GateCheck(
            configuration, secret: ClientSecret(revealing: "secret"), over: server, clock: clock.source, random: .system
        )
        return await check.findings()
    }

    /// The problems of the folder of keys and sessions, which is FOLDER in them.
    var stateProblems: [String] {
        StateCheck(path: folder.path).findings.compactMap { finding in
            guard case .problem(.state, let problem, advice: _) = finding else { return nil }
            return problem.replacingOccurrences(of: folder.path, with: "FOLDER")
        }
    }

    /// The names of the files with sessions.
    var sessionFiles: Set<String> {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(component: "sessions").path)
            return Set(names)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// A proxy, and a browser behind it.
struct GateClient: Sendable {
    fileprivate let framework: any TestClientProtocol
    fileprivate let test: GateUnderTest

    fileprivate init(framework: any TestClientProtocol, test: GateUnderTest) {
        self.framework = framework
        self.test = test
    }

    /// The answer to the question about a request.
    func check(
        _ uri: String,
        _ method: String = "GET",
        cookie: String? = nil,
        fields: [(String, String)] = []
    ) async throws -> TestResponse {
        let isOriginal = test.configuration.dialect == .original
        let prefix = isOriginal ? "X-Original-" : "X-Forwarded-"
        let named = [("Method", method), ("Proto", "http"), ("Host", "localhost"), ("Uri", uri)]
        return try await ask(named.map { (prefix + $0, $1) } + fields, cookie: cookie)
    }

    /// The answer to a question with these fields alone.
    func ask(_ fields: [(String, String)], cookie: String? = nil) async throws -> TestResponse {
        try await get("/check", cookie: cookie, fields: fields)
    }

    /// The answer to a page of the gate.
    func get(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        cookie: String? = nil,
        fields: [(String, String)] = []
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        if let cookie { headers.append(HTTPField(name: .cookie, value: cookie)) }
        return try await framework.execute(uri: path, method: method, headers: headers)
    }

    /// Begins a sign-in; the parameters for the server, and the browser's cookie.
    func begin(_ query: String = "to=/") async throws -> (parameters: Form, cookie: String) {
        let response = try await get("/gate/sign-in?\(query)")
        #expect(response.status == .found)
        let address = try #require(response.headers[.location])
        #expect(address.hasPrefix("\(GateServer.issuer)/authorize?"))
        let parameters = try Form(parsing: Array(address.drop { $0 != "?" }.dropFirst().utf8))
        return (parameters, try #require(response.headers[.setCookie]).cookiePair)
    }

    /// The answer to the return from the server after a sign-in there.
    func finish(_ begun: (parameters: Form, cookie: String), state: String? = nil) async throws -> TestResponse {
        let nonce = begun.parameters["nonce"] ?? ""
        test.server.change { $0.nonce = nonce }
        let form: Form = [
            "code": "a-code", "state": state ?? begun.parameters["state"], "iss": GateServer.issuer,
        ]
        return try await get("/gate/callback?\(form.encoded)", cookie: begun.cookie)
    }

    /// Signs the browser in, and returns the session's cookie.
    func signedIn() async throws -> String {
        let response = try await finish(try await begin())
        #expect(response.status == .found)
        return try #require(response.headers[.setCookie]).cookiePair
    }
}

extension String {
    /// The name and value of the cookie in a `Set-Cookie`.
    var cookiePair: String { String(prefix { $0 != ";" }) }
}

extension TestResponse {
    /// A field about the person; `nil` when the answer lacks it.
    func passed(_ header: PersonHeader) -> String? { HTTPField.Name(header.rawValue).flatMap { headers[$0] } }

    /// The user name in the gate's statement; `nil` when the answer lacks one.
    var statedUsername: String? {
        guard let jws = passed(.assertion).flatMap({ CompactJWS($0) }),
            let person = try? JSONDecoder().decode(StatedPerson.self, from: Data(jws.payload))
        else { return nil }
        return person.username
    }
}

private struct StatedPerson: Decodable {
    let username: String

    private enum CodingKeys: String, CodingKey {
        case username = "preferred_username"
    }
}
