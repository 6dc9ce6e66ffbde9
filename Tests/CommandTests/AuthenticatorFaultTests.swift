import CommandFixture
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Feature 142, as a stranger sees it: a phone in a terminal at a server that fails in every way.
@Suite("A phone in a terminal whose server fails")
struct AuthenticatorFaultTests {
    private typealias Answer = ProviderOnPort.Answer

    private static let registration = Answer(
        status: 200,
        body: #"{"id":"d1","registration_status":"unverified","push_enabled":false,"development":false}"#)

    private static let faults: [(name: String, answer: Answer, status: Int32, reason: String)] = [
        ("400", Answer(status: 400, body: #"{"error":"invalid_request"}"#), 7, "refused"),
        ("403", Answer(status: 403, body: "{}"), 7, "not_permitted"),
        ("404", Answer(status: 404, body: "{}"), 1, "bad_answer"),
        ("429", Answer(status: 429, body: "{}"), 1, "busy"),
        ("500", Answer(status: 500, body: ""), 5, "not_reachable"),
        ("503", Answer(status: 503, body: ""), 5, "not_reachable"),
        ("bad JSON", Answer(status: 200, body: "{"), 1, "bad_answer"),
        ("another message", Answer(status: 200, body: #"{"a":1}"#), 1, "bad_answer"),
        ("no body", Answer(status: 200, body: ""), 1, "bad_answer"),
        ("no content", Answer(status: 204, body: ""), 1, "bad_answer"),
    ]

    @Test func `gives one result for each fault, and stays enrolled`() async throws {
        let (base, fault) = (NIOLockedValueBox(""), NIOLockedValueBox<Answer?>(nil))
        let answer: @Sendable (ProviderOnPort.Asked) -> Answer = { asked in
            let base = base.withLockedValue(\.self)
            switch asked.path {
            case "/.well-known/oauth-authorization-server":
                return Answer(
                    status: 200,
                    body: #"""
                        {"issuer":"\#(base)","token_endpoint":"\#(base)/token",
                        "authenticator_endpoint":"\#(base)/authenticator"}
                        """#)
            case "/token":
                return Answer(
                    status: 200,
                    body: #"""
                        {"access_token":"access-1","token_type":"Bearer","expires_in":86400,"refresh_token":"refresh-1",
                        "scope":"nearby_approve"}
                        """#)
            case "/authenticator/device": return fault.withLockedValue(\.self) ?? Self.registration
            default: return Answer(status: 404, body: "{}")
            }
        }
        try await ProviderOnPort.with(answer) { server in
            base.withLockedValue { $0 = server.base }
            let command = try CommandUnderTest()
            let code = "\(server.base)/authenticator/enroll#fQ3Zr8m1cX0b7Lw2Yk5T9A"
            let enrolled = try await command.run("countersign authenticator enroll --client phone '\(code)'")
            #expect(enrolled.status == 0, "\(enrolled.output)")
            for (name, answer, status, reason) in Self.faults {
                fault.withLockedValue { $0 = answer }
                let outcome = try await command.run("countersign authenticator check --json 2> words")
                #expect(outcome.status == status, "\(name): \(outcome.output)")
                let members = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
                #expect(members?["outcome"] as? String == "unknown", "\(name): \(outcome.output)")
                #expect(members?["reason"] as? String == reason, "\(name): \(outcome.output)")
                let words = try await command.run("cat words").output
                #expect(words.split(separator: "\n").count == 1, "\(name): \(words)")
            }
            fault.withLockedValue { $0 = nil }
            let after = try await command.run("countersign authenticator check")
            #expect(
                after.output == "No number is verified. Type: countersign authenticator phone NUMBER\n",
                "\(after.output)"
            )
            // Only the server's word signs it out.
            fault.withLockedValue { $0 = Answer(status: 401, body: "{}") }
            let out = try await command.run("countersign authenticator check --json 2>/dev/null")
            #expect(out.status == 7 && out.output.contains("signed_out"), "\(out.output)")
        }
    }
}
