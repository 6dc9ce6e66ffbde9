import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite("The log of a server")
struct LogTests {
    /// Everything secret, or fit to identify somebody, that passed in the story.
    private struct Secrets {
        var all: Set<String> = []

        mutating func add(_ values: String?...) {
            for value in values.compactMap({ $0 }) where value.utf8.count >= 6 { all.insert(value) }
        }

        /// The values of these members in a JSON text.
        mutating func add(_ names: [String], from json: String) {
            let object = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] ?? [:]
            for name in names { add(object[name] as? String) }
        }
    }

    @Test(arguments: ["json", "text"])
    func `tells what happens, one line each, and never a secret`(form: String) async throws {
        let server = try await RunningServer.start("--log-level trace --log-format \(form)")
        var secrets = Secrets()
        try await Self.play(at: server, &secrets)
        let log = try await server.stop().output
        #expect(secrets.all.count >= 12)
        for secret in secrets.all { #expect(!log.contains(secret), "the log holds \(secret)") }

        let lines = log.split(separator: "\n").filter { !$0.hasPrefix("Countersign answers at") }
        #expect(lines.contains { $0.contains("/device_authorization") && $0.contains("200") })
        for line in lines {
            if form == "json" {
                let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                #expect(event?["time"] != nil && event?["level"] != nil && event?["message"] != nil, "\(line)")
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
        secrets.add(["secret"], from: added)
        let clientSecret = added.firstMatch(of: /"secret" : "([^"]+)"/).map { String($0.1) } ?? ""
        let basic = Data("api:\(clientSecret)".utf8).base64EncodedString()
        secrets.add(basic, RunningServer.password, "correct+horse", "a wrong password", "a+wrong+password")

        let codes = try await server.post("/device_authorization", "client_id=tv&scope=openid").body
        secrets.add(["device_code", "user_code"], from: codes)
        let code = codes.firstMatch(of: /"user_code":"([^"]+)"/).map { String($0.1) } ?? ""
        let device = codes.firstMatch(of: /"device_code":"([^"]+)"/).map { String($0.1) } ?? ""
        secrets.add(code.replacing("-", with: ""), "BBBB-BBBB")

        let person = PersonAtBrowser(at: server.base)
        try await person.open("/login")
        try? await person.submit("/login", ["username": "anna", "password": "a wrong password"])
        try? await person.open("/activate?user_code=BBBB-BBBB")
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        for secret in await person.secrets { secrets.add(secret) }

        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        let tokens = try await server.post("/token", "client_id=tv&grant_type=\(grant)&device_code=\(device)").body
        let names = ["access_token", "refresh_token", "id_token"]
        secrets.add(names, from: tokens)
        let refresh = tokens.firstMatch(of: /"refresh_token":"([^"]+)"/).map { String($0.1) } ?? ""
        let access = tokens.firstMatch(of: /"access_token":"([^"]+)"/).map { String($0.1) } ?? ""
        let again = try await server.post("/token", "client_id=tv&grant_type=refresh_token&refresh_token=\(refresh)")
            .body
        secrets.add(names, from: again)
        let own = "client_id=api&client_secret=\(clientSecret)"
        secrets.add(names, from: try await server.post("/token", "\(own)&grant_type=client_credentials").body)
        _ = try await server.post("/introspect", "\(own)&token=\(access)")
        _ = try await server.post("/introspect", "client_id=api&client_secret=wrong-\(clientSecret)&token=\(access)")
        _ = try await server.post("/revoke", "client_id=tv&token=\(refresh)")
        _ = try await server.post("/token?token=\(access)", "client_id=tv&grant_type=password&password=\(clientSecret)")

        var request = HTTPClientRequest(url: "\(server.base)/userinfo?access_token=\(access)")
        request.headers.add(name: "authorization", value: "Bearer \(access)")
        _ = try await HTTPClient.shared.execute(request, timeout: .seconds(30)).body.collect(upTo: 1 << 20)
        request.headers.replaceOrAdd(name: "authorization", value: "Basic \(basic)")
        _ = try await HTTPClient.shared.execute(request, timeout: .seconds(30)).body.collect(upTo: 1 << 20)
    }

    @Test func `knows two forms`() async throws {
        let outcome = try await CommandUnderTest().run("countersign serve --log-format xml")
        #expect(outcome.status == 1)
        #expect(outcome.output == "countersign: There is no log format xml: it is text or json.\n")
    }
}
