import Countersign
import CountersignStorage
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("A gateway for mails over HTTP")
struct HTTPMailGatewayTests {
    private let clock = ManualClock()

    private func mail(_ id: String = "delivery", to name: String? = "Zoë \"Z\" Ek") -> Mail {
        Mail(
            id: Delivery.ID(id), to: Mailbox(EmailAddress("zoe@example.org"), name: name),
            Mail.Content(subject: "Bestätigen Sie", text: "Der Code: 123", html: "<p>123</p>", language: "de"),
            made: clock.date, expires: clock.date + 600)
    }

    private func gateway(
        _ form: HTTPMailGateway.Form, at base: String? = nil, over transport: any HTTPTransport = SystemTransport.make()
    ) throws -> HTTPMailGateway {
        try HTTPMailGateway(
            form, at: base ?? form.standardBase, domain: "mg.radio.example",
            credential: GatewayCredential(revealing: "very-secret"),
            sender: Mailbox(EmailAddress("login@radio.example"), name: "Radio Nord"), over: transport)
    }

    /// The requests that a gateway makes for mails.
    private func requests(_ form: HTTPMailGateway.Form, _ mails: [Mail]) async throws -> [ProviderRequest] {
        let (requests, noting) = AsyncStream.makeStream(of: ProviderRequest.self)
        let listener = try await LoopbackListener.start { request in
            noting.yield(request)
            return .reply(.text(#"{"ErrorCode":0,"MessageID":"x","id":"<x>"}"#, type: "application/json"))
        }
        let gateway = try gateway(form, at: listener.base)
        for mail in mails { #expect(await gateway.send(mail) == .accepted) }
        await listener.stop()
        noting.finish()
        return await requests.reduce(into: []) { $0.append($1) }
    }

    @Test(arguments: HTTPMailGateway.Form.allCases)
    func `prints no secret, however it is printed`(form: HTTPMailGateway.Form) throws {
        let gateway = try gateway(form, over: ScriptedTransport([:]))
        for value in [gateway as Any, DeliverySettings(mailGateway: gateway), mail()] {
            for printed in ["\(value)", String(reflecting: value)] {
                #expect(!printed.contains("very-secret") && !printed.contains("Basic ") && !printed.contains("123"))
            }
        }
    }

    @Test func `of Postmark's form gets JSON, the server's token, and one identifier for all attempts`() async throws {
        let requests = try await requests(.postmark, [mail(), mail(), mail("another")])
        var ids: [String] = []
        for request in requests {
            #expect(request.path == "/email")
            let token = HTTPField.Name("X-Postmark-Server-Token").flatMap { request.fields[$0] }
            #expect(token == "very-secret" && request.fields[.contentType] == "application/json")
            let root = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            #expect(root["From"] as? String == "\"Radio Nord\" <login@radio.example>")
            #expect(root["To"] as? String == "\"Zoë \\\"Z\\\" Ek\" <zoe@example.org>")
            #expect(root["Subject"] as? String == "Bestätigen Sie")
            #expect(root["TextBody"] as? String == "Der Code: 123" && root["HtmlBody"] as? String == "<p>123</p>")
            #expect(root["TrackLinks"] as? String == "None" && root["TrackOpens"] as? Bool == false)
            let list = try #require(root["Headers"] as? [[String: String]])
            let headers = Dictionary(uniqueKeysWithValues: list.map { ($0["Name"] ?? "", $0["Value"] ?? "") })
            #expect(headers["Auto-Submitted"] == "auto-generated" && headers["Content-Language"] == "de")
            #expect(headers["X-PM-KeepID"] == "true")
            ids.append(headers["Message-ID"] ?? "")
        }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[0] != ids[2])
        #expect(ids.allSatisfy { $0.hasPrefix("<") && $0.hasSuffix("@radio.example>") })
    }

    @Test func `of Mailgun's form gets a form at its domain, and the key`() async throws {
        let request = try #require(try await requests(.mailgun, [mail()]).first)
        #expect(request.path == "/v3/mg.radio.example/messages")
        #expect(request.fields[.authorization] == "Basic \(Base64.encode(Array("api:very-secret".utf8)))")
        let form = try Form(parsing: request.body)
        #expect(form["to"] == "\"Zoë \\\"Z\\\" Ek\" <zoe@example.org>")
        #expect(form["from"] == "\"Radio Nord\" <login@radio.example>" && form["subject"] == "Bestätigen Sie")
        #expect(form["text"] == "Der Code: 123" && form["html"] == "<p>123</p>")
        #expect(form["o:tracking"] == "no" && form["h:Auto-Submitted"] == "auto-generated")
        #expect(form["h:Message-Id"]?.hasSuffix("@radio.example>") == true)
    }

    @Test(arguments: HTTPMailGateway.Form.allCases)
    func `lets no line break of a name begin a field`(form: HTTPMailGateway.Form) async throws {
        let hostile = mail(to: "Zoë\r\nBcc: evil@example.org")
        let request = try #require(try await requests(form, [hostile]).first)
        let body = String(decoding: request.body, as: UTF8.self)
        for encoded in ["\\r", "\\n", "%0D", "%0A"] { #expect(!body.contains(encoded), "\(encoded)") }
    }

    @Test(arguments: [
        (HTTPMailGateway.Form.postmark, 200, #"{"ErrorCode":0}"#, DeliveryOutcome.accepted),
        (.postmark, 422, #"{"ErrorCode":300}"#, .rejected("status 422, code 300")),
        (.postmark, 422, #"{"ErrorCode":406}"#, .rejected("status 422, code 406")),
        (.postmark, 422, #"{"ErrorCode":405}"#, .retry("status 422, code 405")),
        (.postmark, 401, #"{"ErrorCode":10}"#, .retry("status 401, code 10")),
        (.postmark, 200, "<html>", .retry("status 200")), (.postmark, 429, "", .retry("status 429")),
        (.postmark, 500, "", .retry("status 500")), (.mailgun, 200, "", .accepted),
        (.mailgun, 400, "", .rejected("status 400")), (.mailgun, 401, "", .retry("status 401")),
        (.mailgun, 404, "", .retry("status 404")), (.mailgun, 413, "", .rejected("status 413")),
        (.mailgun, 502, "", .retry("status 502")),
    ])
    func `says what becomes of a mail`(
        form: HTTPMailGateway.Form, status: Int, body: String, expected: DeliveryOutcome
    ) async throws {
        let path = form == .postmark ? "/email" : "/v3/mg.radio.example/messages"
        let network = ScriptedTransport([
            path: [.text(body, type: "application/json", status: HTTPResponse.Status(code: status))]
        ])
        #expect(try await gateway(form, over: network).send(mail()) == expected)
    }

    @Test(arguments: HTTPMailGateway.Form.allCases)
    func `that does not answer is asked again`(form: HTTPMailGateway.Form) async throws {
        let outcome = try await gateway(form, over: ScriptedTransport([:])).send(mail())
        guard case .retry = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}
