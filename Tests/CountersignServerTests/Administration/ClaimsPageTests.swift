import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page of declared claims", .server)
struct ClaimsPageTests {
    let server = TestServer.current

    @Test func `declares claims as the command does, and removes them after a question`() async throws {
        let anna = try await server.administrator()
        #expect(try await anna.get("admin/claims").text.contains("value=\"groups\""))
        _ = try await server.groups.add(TestGroups.band, note: nil)
        let roles: Form = ["claim": "roles", "from": "groups"]
        #expect(try await anna.post("admin/claims/add", roles).location == "/admin/claims?done=added")
        let named: Form = [
            "claim": " grafana_role ", "from": "groups", "as": "text", "scope": "grafana", "value": "band=Editor\r\n",
        ]
        #expect(try await anna.post("admin/claims/add", named).status == .seeOther)
        let attribute: Form = ["claim": "department", "from": "attribute:department", "scope": "department"]
        #expect(try await anna.post("admin/claims/add", attribute).status == .seeOther)
        let all = try await server.claims.all()
        let now = server.clock.date
        #expect(
            all == [
                ClaimMapping(
                    claim: ClaimName("department"), source: .attribute(AttributeName("department")), form: .text,
                    scope: ScopeWord("department"), created: now),
                ClaimMapping(
                    claim: ClaimName("grafana_role"),
                    source: .groups([ClaimMapping.GroupValue(TestGroups.band, "Editor")]), form: .text,
                    scope: ScopeWord("grafana"), created: now),
                ClaimMapping(
                    claim: ClaimName("roles"), source: .groups([]), form: .list, scope: .groups, created: now),
            ])
        let page = try await anna.get("admin/claims?done=added")
        #expect(page.text.contains("The claim is declared.") && page.text.contains("attribute:department"))
        #expect(page.text.contains("band=Editor"))
        let question = "admin/claims/remove?claim=roles"
        #expect(Markup(page.text).links.contains("/\(question)"))
        #expect(try await anna.get(question).text.contains("Remove this claim?"))
        let removed = try await anna.post("admin/claims/remove", ["claim": "roles"])
        #expect(removed.location == "/admin/claims?done=removed")
        #expect(try await anna.get(question).status == .notFound)
        #expect(try await anna.post("admin/claims/remove", ["claim": "roles"]).status == .notFound)
        let audited = try await server.audited(.claimRemoved)
        #expect(audited.map(\.by) == [.person] && audited.map(\.detail) == ["roles"])
    }

    @Test(
        arguments: [
            (["claim": "a b", "from": "groups"], "1 to 128 letters"),
            (["claim": "sub", "from": "groups"], "The claim sub"),
            (["claim": "roles", "from": "size"], "Source is groups, or"),
            (["claim": "roles"], "Source is groups, or"),
            (["claim": "roles", "from": "attribute:a b", "scope": "x"], "1 to 64 letters"),
            (
                ["claim": "roles", "from": "attribute:size", "value": "a=b"],
                "Values for groups belongs to Source groups."
            ),
            (["claim": "roles", "from": "attribute:size"], "Say by Scope which word"),
            (["claim": "roles", "from": "groups", "value": "band"], "Values for groups takes a group"),
            (["claim": "roles", "from": "groups", "value": "band=x"], "There is no group band."),
            (["claim": "roles", "from": "groups", "as": "number"], "Form is list or text."),
            (["claim": "roles", "from": "groups", "scope": "a b"], "Scope is one word"),
        ] as [(Form, String)])
    func `says why a claim is not declared, and keeps what was typed`(form: Form, reason: String) async throws {
        let anna = try await server.administrator()
        let answer = try await anna.post("admin/claims/add", form)
        #expect(answer.status == .unprocessableContent && answer.text.contains(reason))
        #expect(answer.text.contains("value=\"\(form["claim"] ?? "")\""))
        #expect(try await server.claims.all() == [])
    }

    @Test func `declares no claim twice`() async throws {
        let anna = try await server.administrator()
        let form: Form = ["claim": "roles", "from": "groups"]
        #expect(try await anna.post("admin/claims/add", form).status == .seeOther)
        let again = try await anna.post("admin/claims/add", form)
        #expect(again.status == .unprocessableContent && again.text.contains("The claim roles is declared already."))
    }
}
