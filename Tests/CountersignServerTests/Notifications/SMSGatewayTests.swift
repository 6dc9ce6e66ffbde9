import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("A gateway for text messages")
struct SMSGatewayTests {
    private let clock = ManualClock()

    private func message(_ id: String = "delivery") throws -> TextMessage {
        TextMessage(
            id: Delivery.ID(id),
            to: try PhoneNumber("+31612345678"),
            MessageText(revealing: "123456 is your code – ¡olé!"),
            expires: clock.date + 600
        )
    }

    private func cm(_ address: String, over transport: any HTTPTransport = SystemTransport.make()) throws -> CMGateway {
        CMGateway(
            try Endpoint("\(address)/v1.0/message"),
            token: GatewayCredential(revealing: "00000000-0000-0000-0000-000000000000"),
            sender: "Bank",
            over: transport
        )
    }

    private func twilio(
        _ address: String,
        key: String? = nil,
        sender: String = "+15005550006",
        over transport: any HTTPTransport = SystemTransport.make()
    ) throws -> TwilioGateway {
        try TwilioGateway(
            address,
            account: "AC1",
            key: key,
            secret: GatewayCredential(revealing: "secret"),
            sender: sender,
            clock: clock.source,
            over: transport
        )
    }

    @Test func `prints no secret, however it is printed`() throws {
        let gateways: [any SMSGateway] = [
            try cm("https://sms.example.com"), try twilio("https://sms.example.com"),
            try twilio("https://sms.example.com", key: "SK1"),
        ]
        let settings = DeliverySettings(gateway: gateways[1])
        for value in gateways.map({ $0 as Any }) + [settings] {
            for printed in ["\(value)", String(reflecting: value)] {
                #expect(!printed.contains("00000000-0000") && !printed.contains("Basic "), "\(printed)")
            }
        }
    }

    @Test func `of CM gets the words, the number and one reference for all attempts`() async throws {
        let (requests, noting) = AsyncStream.makeStream(of: ProviderRequest.self)
        let listener = try await LoopbackListener.start { request in
            noting.yield(request)
            return .reply(.text(#"{"errorCode":0,"messages":[{"messageErrorCode":0}]}"#, type: "application/json"))
        }
        let gateway = try cm(listener.base)
        #expect(await gateway.send(try message()) == .accepted)
        #expect(await gateway.send(try message()) == .accepted)
        #expect(await gateway.send(try message("another")) == .accepted)
        await listener.stop()
        noting.finish()
        var references: [String] = []
        for await request in requests {
            #expect(request.path == "/v1.0/message")
            let token = HTTPField.Name("X-CM-PRODUCTTOKEN").flatMap { request.fields[$0] }
            #expect(token == "00000000-0000-0000-0000-000000000000")
            let root = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            let list = try #require((root["messages"] as? [String: Any])?["msg"] as? [[String: Any]])
            let sent = try #require(list.first)
            #expect((sent["to"] as? [[String: Any]])?.first?["number"] as? String == "0031612345678")
            #expect((sent["body"] as? [String: Any])?["content"] as? String == "123456 is your code – ¡olé!")
            #expect(sent["from"] as? String == "Bank")
            // Ten minutes after the time of the test, 1_800_000_000: then the words are of no use any more.
            #expect(sent["validity"] as? String == "2027-01-15 08:10:00 GMT")
            references.append(sent["reference"] as? String ?? "")
        }
        #expect(references.count == 3 && references[0] == references[1] && references[0] != references[2])
        #expect(references.allSatisfy { $0.utf8.count == 32 })
    }

    @Test(arguments: [
        (200, #"{"errorCode":0,"messages":[{"messageErrorCode":303}]}"#, DeliveryOutcome.rejected("code 303")),
        (400, #"{"errorCode":201,"messages":[{"messageErrorCode":402}]}"#, .rejected("code 402")),
        (400, #"{"errorCode":103,"messages":[]}"#, .retry("status 400, code 103")),
        (401, "", .retry("status 401, code none")),
        (402, #"{"errorCode":102,"messages":[]}"#, .retry("status 402, code 102")),
        (429, "", .retry("status 429, code none")),
        (503, "", .retry("status 503, code none")),
        // The message may have been sent, and is not paid for twice.
        (200, "<html>", .unknown("status 200, code none")),
        (202, "", .unknown("status 202, code none")),
        (200, #"{"errorCode":999}"#, .unknown("status 200, code 999")),
        (500, #"{"errorCode":500}"#, .unknown("status 500, code 500")),
        (502, "<html>", .unknown("status 502, code none")),
        (504, "", .unknown("status 504, code none")),
    ])
    func `of CM says what becomes of a message`(status: Int, body: String, expected: DeliveryOutcome) async throws {
        let network = ScriptedTransport([
            "/v1.0/message": [
                .text(body, type: "application/json", status: HTTPResponse.Status(code: status))
            ]
        ])
        #expect(try await cm("https://cm.example", over: network).send(try message()) == expected)
    }

    @Test func `of Twilio gets a form, the account's proof, and how long the words are good`() async throws {
        let network = ScriptedTransport([
            "/2010-04-01/Accounts/AC1/Messages.json": [.text("{}", type: "application/json", status: .created)]
        ])
        #expect(try await twilio("https://twilio.example", over: network).send(try message()) == .accepted)
        let service = try twilio("https://twilio.example", key: "SK1", sender: "MG1", over: network)
        #expect(await service.send(try message()) == .accepted)
        let sent = network.sent()
        #expect(sent[0].form["To"] == "+31612345678")
        #expect(sent[0].form["From"] == "+15005550006")
        #expect(sent[0].form["Body"] == "123456 is your code – ¡olé!")
        #expect(sent[0].form["ValidityPeriod"] == "600")
        #expect(sent[0].request.headerFields[.authorization] == "Basic \(Base64.encode(Array("AC1:secret".utf8)))")
        #expect(sent[1].form["MessagingServiceSid"] == "MG1" && sent[1].form["From"] == nil)
        #expect(sent[1].request.headerFields[.authorization] == "Basic \(Base64.encode(Array("SK1:secret".utf8)))")
    }

    @Test(arguments: [
        (400, #"{"code":21211}"#, DeliveryOutcome.rejected("status 400, code 21211")),
        (401, #"{"code":20003}"#, .retry("status 401, code 20003")),
        (429, #"{"code":20429}"#, .retry("status 429, code 20429", after: 7)),
        (503, "", .retry("status 503, code none", after: 7)),
        (500, "", .unknown("status 500, code none")),
        (502, "", .unknown("status 502, code none")),
        (504, "", .unknown("status 504, code none")),
    ])
    func `of Twilio says what becomes of a message`(
        status: Int,
        body: String,
        expected: DeliveryOutcome
    ) async throws {
        let network = ScriptedTransport([
            "/2010-04-01/Accounts/AC1/Messages.json": [
                .text(
                    body,
                    type: "application/json",
                    status: HTTPResponse.Status(code: status),
                    fields: status == 401 ? [:] : [.retryAfter: "7"]
                )
            ]
        ])
        #expect(try await twilio("https://twilio.example", over: network).send(try message()) == expected)
    }

    @Test func `that is down is tried again; one whose answer was lost is not, since it costs money twice`()
        async throws
    {
        let listener = try await LoopbackListener.start { _ in .reset }
        #expect(try await cm(listener.base).send(try message()) == .unknown("interrupted"))
        #expect(try await twilio(listener.base).send(try message()) == .unknown("interrupted"))
        await listener.stop()
        // Nobody listens at port 1.
        let base = "http://127.0.0.1:1"
        #expect(try await cm(base).send(try message()) == .retry("notReached"))
        #expect(try await twilio(base).send(try message()) == .retry("notReached"))
        let slow = ScriptedTransport([
            "/v1.0/message": [.failure(TransportError(.timedOut, because: "slow"))]
        ])
        #expect(try await cm("https://cm.example", over: slow).send(try message()) == .unknown("timedOut"))
    }
}

@Suite("The outbox on this machine")
struct OutboxGatewayTests {
    @Test func `has one private file for each message, and none twice`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let path = directory.appendingPathComponent("outbox").path
        #expect(try OutboxGateway.messages(at: path) == [])
        let gateway = OutboxGateway(at: path, clock: clock.source)
        let number = try PhoneNumber("+31612345678")
        for (id, words) in [("../a", "one"), ("../a", "one"), ("b", "two")] {
            let message = TextMessage(
                id: Delivery.ID(id), to: number, MessageText(revealing: words), expires: clock.date + 60)
            #expect(await gateway.send(message) == .accepted)
            clock.advance(by: .seconds(1))
        }
        let kept = try OutboxGateway.messages(at: path)
        #expect(kept.map(\.text) == ["one", "two"] && kept.map(\.to) == ["+31612345678", "+31612345678"])
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files.count == 2)
        for file in files {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
        #expect(try OutboxGateway.clear(before: .distantFuture, at: path) == 2)
        #expect(try OutboxGateway.messages(at: path) == [])
    }
}
