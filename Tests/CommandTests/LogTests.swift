import AsyncHTTPClient
import CommandFixture
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import CountersignCommand

@Suite("The log of a server")
struct LogTests {
    /// Everything secret, or fit to identify somebody, that passed in the story.
    private struct Secrets {
        var all: Set<String> = []

        mutating func add(_ values: String...) {
            all.formUnion(values)
        }

        /// Adds the values of these members of a JSON text, and returns them; all must be there.
        @discardableResult
        mutating func add(_ names: String..., from json: String) throws -> [String] {
            let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let values = try names.map { try #require(object[$0] as? String, "\($0) in \(json)") }
            for value in values {
                try #require(value.utf8.count >= 6)
                add(value)
            }
            return values
        }
    }

    @Test(arguments: ["json", "text"])
    func `tells what happens, one line each, and never a secret`(form: String) async throws {
        let server = try await RunningServer.start("--log-level trace --log-format \(form)")
        var secrets = Secrets()
        try await Self.play(at: server, &secrets)
        let log = try await server.stop().output
        #expect(secrets.all.count >= 20)
        for secret in secrets.all { #expect(!log.contains(secret), "the log holds \(secret)") }

        // Lines for the person who started it are no log; beside JSON there are none.
        let printed =
            form == "json" ? [] : ["Countersign answers at", "It listens on", "Metrics and health are answered on"]
        let lines = log.split(separator: "\n").filter { line in !printed.contains { line.hasPrefix($0) } }
        #expect(lines.contains { $0.contains("/device_authorization") && $0.contains("200") })
        for line in lines {
            if form == "json" {
                let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                #expect(event?["time"] != nil && event?["level"] != nil && event?["message"] != nil, "\(line)")
                if event?["route"] != nil { #expect(event?["request_id"]?.isEmpty == false, "\(line)") }
            } else {
                #expect(line.contains(/^time=\S+Z level=[a-z]+ message=\S/), "\(line)")
            }
        }
    }

    /// A screen is signed in and out again, with a few mistakes on the way.
    private static func play(at server: RunningServer, _ secrets: inout Secrets) async throws {
        let added = try await server.command.run(
            "countersign admin client add api --confidential --grant client_credentials --scope read --json"
        ).output
        let clientSecret = try secrets.add("client_secret", from: added)[0]
        let basic = Data("api:\(clientSecret)".utf8).base64EncodedString()
        secrets.add(basic, RunningServer.password, "correct+horse", "correct%20horse")
        secrets.add("a wrong password", "a+wrong+password", "a%20wrong%20password")

        let codes = try await server.post("/device_authorization", "client_id=tv&scope=openid").body
        let (device, code) = try (secrets.add("device_code", from: codes)[0], secrets.add("user_code", from: codes)[0])
        secrets.add(code.replacing("-", with: ""), "BBBB-BBBB")

        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        await #expect(throws: PersonAtBrowser.Refused.self) {
            try await person.submit("/login", ["username": "anna", "password": "a wrong password"])
        }
        try await person.open("/activate?user_code=BBBB-BBBB")
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        let (cookies, formTokens) = await (person.cookies, person.formTokens)
        try #require(!cookies.isEmpty && !formTokens.isEmpty)
        for secret in cookies.union(formTokens) { secrets.add(secret) }

        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        let tokens = try await server.post("/token", "client_id=tv&grant_type=\(grant)&device_code=\(device)").body
        let access = try secrets.add("access_token", "id_token", from: tokens)[0]
        let refresh = try secrets.add("refresh_token", from: tokens)[0]
        let renewal = "client_id=tv&grant_type=refresh_token&refresh_token=\(refresh)"
        try secrets.add("access_token", "refresh_token", from: try await server.post("/token", renewal).body)
        let own = "client_id=api&client_secret=\(clientSecret)"
        try secrets.add(
            "access_token", from: try await server.post("/token", "\(own)&grant_type=client_credentials").body)
        _ = try await server.post("/introspect", "\(own)&token=\(access)")
        _ = try await server.post("/introspect", "client_id=api&client_secret=wrong-\(clientSecret)&token=\(access)")
        _ = try await server.post("/revoke", "client_id=tv&token=\(refresh)")
        _ = try await server.post("/token?token=\(access)", "client_id=tv&grant_type=password&password=\(clientSecret)")

        var request = HTTPClientRequest(url: "\(server.base)/userinfo?access_token=\(access)")
        request.headers.add(name: "authorization", value: "Bearer \(access)")
        _ = try await HTTPClient.shared.execute(request, timeout: .seconds(120)).body.collect(upTo: 1 << 20)
        request.headers.replaceOrAdd(name: "authorization", value: "Basic \(basic)")
        _ = try await HTTPClient.shared.execute(request, timeout: .seconds(120)).body.collect(upTo: 1 << 20)
    }

    @Test func `names the services that start, and shows nothing that they hold`() async throws {
        let secret = "0123456789abcdef0123456789abcdef"
        let serving = try CommandUnderTest().start(
            """
            umask 077; echo AC1:\(secret) > sms; exec countersign serve --listen 127.0.0.1:0 --log-level trace \
            --sms twilio --sms-sender Bank --sms-credentials sms
            """
        )
        _ = try await serving.addresses()
        serving.signal(SIGTERM)
        let log = try await serving.finish().output
        for service in ["DeliveryService", "Maintenance", "AuditHeadLog", "Listener on 127.0.0.1"] {
            #expect(log.contains(service), "\(service)")
        }
        let basic = Data("AC1:\(secret)".utf8).base64EncodedString()
        #expect(!log.contains(secret) && !log.contains(basic) && !log.contains("TwilioGateway"))
        #expect(log.split(separator: "\n").allSatisfy { $0.utf8.count < 1000 })
    }

    @Test(arguments: [
        ("Küche 📻 <b>", #""Küche 📻 <b>""#),
        ("a\"\\\n\r\t", #""a\"\\\n\r\t""#),
        ("\u{0}\u{1B}[2J\u{7F}", #""\u0000\u001b[2J\u007f""#),
        ("\u{85}\u{2028}\u{2029}", #""\u0085\u2028\u2029""#),
        // These change the direction of text.
        ("\u{61C}\u{200E}\u{200F}\u{202E}\u{2067}", #""\u061c\u200e\u200f\u202e\u2067""#),
        // These are invisible, or have no agreed meaning. A character above U+FFFF has two escapes.
        ("a\u{200B}\u{FEFF}\u{AD}", #""a\u200b\ufeff\u00ad""#),
        ("\u{E000}\u{E0041}\u{10FFFF}", #""\ue000\udb40\udc41\udbff\udfff""#),
    ])
    func `escapes what is unsafe to show, and remains JSON`(text: String, expected: String) throws {
        let quoted = LogLine.quoted(text)
        #expect(quoted == expected)
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(quoted)]".utf8)) == [text])
    }

    @Test func `is written as text or as JSON`() async throws {
        let outcome = try await CommandUnderTest().run("countersign serve --log-format xml")
        #expect(outcome.status == 64)
        #expect(outcome.output == "countersign: There is no log format xml: it is text or json.\n")
    }
}
