import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The rights of administrators", .server)
struct AdministratorRightsTests {
    let server = TestServer.current

    @Test func `are those of one table`() {
        let acts: [AdminAct] =
            AdminNoun.allCases.flatMap { [.read($0), .change($0)] } + [.lockPeople, .signPeopleOut, .resetPasswords]
        #expect(acts.filter(PersonRole.user.permits) == [])
        #expect(acts.filter(PersonRole.operator.permits) == acts)
        #expect(acts.filter(PersonRole.auditor.permits) == AdminNoun.allCases.map { .read($0) })
        #expect(
            acts.filter(PersonRole.helpdesk.permits)
                == [.read(.people), .read(.requests), .lockPeople, .signPeopleOut, .resetPasswords])
    }

    /// The paths of the routes of administrators.
    private func paths(_ method: HTTPRequest.Method) -> [String] {
        let routes = server.server.router().routes.filter { $0.method == method }
        return routes.map { String($0.path.description.drop { $0 == "/" }) }.filter { $0.hasPrefix("admin") }.sorted()
    }

    @Test func `are nobody's who has no role, on any page and in any form`() async throws {
        let bert = try await server.browser(of: .bert)
        #expect(paths(.get).count > 20 && paths(.post).count > 20)
        let before = try await server.dump()
        for path in paths(.get) { #expect(try await bert.get(path).status == .forbidden, "\(path)") }
        for path in paths(.post) { #expect(try await bert.post(path, [:]).status == .forbidden, "\(path)") }
        #expect(try await server.dump() == before)
    }

    @Test func `let a helpdesk see people and requests, and an auditor everything`() async throws {
        let helper = try await server.administrator(.anna, as: .helpdesk)
        let auditor = try await server.administrator(.bert, as: .auditor)
        for noun in AdminNoun.allCases {
            let path = String(noun.path.dropFirst())
            #expect(try await auditor.get(path).status == .ok, "\(path)")
            let sees = noun == .people || noun == .requests
            #expect(try await helper.get(path).status == (sees ? .ok : .forbidden), "\(path)")
        }
        let people = try await helper.get("admin/people")
        #expect(people.navigation == ["/admin/people", "/admin/requests"])
        #expect(try await auditor.get("admin/people").navigation == AdminNoun.allCases.map(\.path))
        #expect(try await helper.get("admin").location == "/admin/people")
        #expect(try await helper.get("account").text.contains("href=\"/admin\""))
    }

    @Test func `give an auditor no form that changes anything`() async throws {
        let auditor = try await server.administrator(.anna, as: .auditor)
        try await server.addDomains()
        let subject = AdminAddress.of("admin/people/person", ["subject": TestPerson.bert.subject.rawValue])
        let pages = AdminNoun.allCases.map { String($0.path.dropFirst()) } + [subject]
        for path in pages {
            let forms = Markup(try await auditor.get(path).text).forms.map { $0.form.attributes }
            let posts = forms.filter { $0["method"] == "post" }.compactMap { $0["action"] }
            #expect(Set(posts).isSubset(of: ["/logout", "/admin/audit/verify"]), "\(path)")
        }
        let before = try await server.dump()
        for path in paths(.post) where !["admin/audit/verify", "admin/providers/check"].contains(path) {
            #expect(try await auditor.post(path, [:]).status == .forbidden, "\(path)")
        }
        #expect(try await server.dump() == before)
    }

    // MARK: Two factors

    @Test func `need two factors that were proved just now, for each form`() async throws {
        let anna = try await server.administrator(by: .password)
        try await server.enrollOneTimePasswords(of: .anna)
        let before = try await server.dump()
        for path in paths(.post) {
            let answer = try await anna.post(path, ["subject": TestPerson.bert.subject.rawValue])
            #expect(answer.location?.hasPrefix("/login?again=step-up&return_to=%2Fadmin") == true, "\(path)")
        }
        #expect(try await server.dump() == before)
        let page = "admin/people/lock?subject=\(TestPerson.bert.subject)"
        var query = Form()
        query["again"] = "step-up"
        query["return_to"] = "/\(page)"
        #expect(try await anna.get(page).location == "/login?\(query.encoded)")
        #expect(try await server.get("/login?\(query.encoded)").text.contains("sign in once more with a passkey"))

        try await anna.authenticate(by: .passwordAnd(.oneTimePassword))
        #expect(try await anna.get(page).status == .ok)
        server.clock.advance(by: .seconds(PageRoutes.recentAdministration + 1))
        #expect(try await anna.get(page).location == "/login?\(query.encoded)")
        #expect(try await anna.get("admin/people").status == .ok)
    }

    @Test func `lead back to the page of a form, and do not do its act`() async throws {
        let anna = try await server.administrator(by: .password)
        try await server.enrollOneTimePasswords(of: .anna)
        let bert = TestPerson.bert.subject
        let answer = try await anna.post("admin/people/lock", ["subject": bert.rawValue])
        var query = Form()
        query["again"] = "step-up"
        query["return_to"] = PeoplePage.address(of: bert)
        #expect(answer.location == "/login?\(query.encoded)")
        #expect(try await server.people().find(bert)?.standing == .active)
    }

    @Test func `need both factors before another one, so that a password alone does not add a passkey`() async throws {
        let anna = try await server.administrator(by: .password)
        #expect(try await anna.get("account/one-time-passwords").status == .ok)
        try await server.enrollOneTimePasswords(of: .anna)
        let before = try await server.dump()
        for path in ["account/passkeys/add", "account/passkeys/remove", "account/one-time-passwords/remove"] {
            let answer = try await anna.post(path, [:])
            #expect(answer.location?.hasPrefix("/login?again=step-up") == true, "\(path)")
        }
        #expect(try await server.dump() == before)
        try await anna.authenticate(by: .passwordAnd(.oneTimePassword))
        #expect(try await anna.get("account/one-time-passwords").status == .ok)
        try await server.promote(.anna, to: .user)
        try await anna.authenticate(by: .password)
        #expect(try await anna.get("account/one-time-passwords").status == .ok)
    }

    @Test func `say that an account needs a second factor first`() async throws {
        let anna = try await server.administrator(by: .password)
        let answer = try await anna.post("admin/people/lock", ["subject": TestPerson.bert.subject.rawValue])
        #expect(answer.status == .forbidden && answer.text.contains("Add a second factor first"))
        for path in ["/account/passkeys/add", "/account/one-time-passwords"] {
            #expect(answer.text.contains("href=\"\(path)\""), "\(path)")
        }
        #expect(!answer.text.contains("href=\"/activate\""))
        #expect(try await anna.get("admin/groups").status == .ok)
        #expect(try await anna.get("admin/domains/add").status == .forbidden)
    }
}

extension TestResponse {
    /// The addresses in the navigation of the pages of administrators.
    fileprivate var navigation: [String] {
        Markup(text).all("a").compactMap { $0.attributes["href"] }.filter { address in
            AdminNoun.allCases.contains { $0.path == address }
        }
    }
}
