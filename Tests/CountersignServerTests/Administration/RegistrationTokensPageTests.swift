import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page of registration tokens", .server)
struct RegistrationTokensPageTests {
    let server = TestServer.current

    @Test func `mints a token, which is shown once, and removes it after a question`() async throws {
        let anna = try await server.administrator()
        let form: Form = [
            "uses": "20", "days": " 30 ", "scope": "email reports.read", "client-credentials": "allowed",
            "serves": "https://api.example.com\r\n",
        ]
        let answer = try await anna.post("admin/registration-tokens/add", form)
        let shown = try #require(answer.text.firstMatch(of: /class="credential">([\w-]{43})</)?.1)
        let token = AccessToken(revealing: String(shown))
        let now = server.clock.date
        let stored = try #require(try await server.store.read { try $0.initialAccessTokens.find(token.digest) })
        #expect(stored.uses == 20 && stored.created == now && stored.expires == now + 30 * 86_400)
        #expect(
            stored.allowance
                == RegistrationAllowance(
                    clientCredentials: true, scope: Scope([.email, ScopeWord("reports.read")]),
                    serves: ["https://api.example.com"]))
        let list = try await anna.get("admin/registration-tokens")
        #expect(list.text.contains("email reports.read") && !list.text.contains(String(shown)))
        let question = "admin/registration-tokens/remove?token=\(stored.id)"
        #expect(Markup(list.text).links.contains("/\(question)"))
        #expect(try await anna.get(question).text.contains("Remove this token?"))
        let removed = try await anna.post("admin/registration-tokens/remove", ["token": stored.id.rawValue])
        #expect(removed.location == "/admin/registration-tokens?done=removed")
        #expect(try await server.registrationTokens.all() == [])
        #expect(try await anna.get(question).status == .notFound)
        for act in [AuditAct.initialAccessTokenAdded, .initialAccessTokenRemoved] {
            let audited = try await server.audited(act)
            #expect(audited.map(\.by) == [.person] && audited.map(\.detail) == [stored.id.rawValue], "\(act)")
        }
    }

    @Test(
        arguments: [
            (["uses": "0", "days": "1"], "1 to 1000000 apps"), (["uses": "many", "days": "1"], "1 to 1000000 apps"),
            (["uses": "1", "days": "366"], "1 to 365 days"), (["uses": "1"], "1 to 365 days"),
            (["uses": "1", "days": "99999999999999999999"], "1 to 365 days"),
            (["uses": "1", "days": "1", "scope": "e\"mail"], "that no scope may have"),
        ] as [(Form, String)])
    func `says why a token is not minted, and keeps what was typed`(form: Form, reason: String) async throws {
        let anna = try await server.administrator()
        let answer = try await anna.post("admin/registration-tokens/add", form)
        #expect(answer.status == .unprocessableContent && answer.text.contains(reason))
        #expect(answer.text.contains("name=\"uses\" value=\"\(form["uses"] ?? "")\""))
        #expect(try await server.registrationTokens.all() == [])
    }
}
