import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// The recipes of Documentation/Groups.md, against a client with a secret that sends people to `/authorize`.
@Suite("The claims of a group's member", .server(withApps: true))
struct GroupRecipeTests {
    let server = TestServer.current

    /// What the app gets from a sign-in with the scope of the recipes.
    private func claims(of person: TestPerson, besides word: ScopeWord? = nil) async throws -> ReceivedClaims {
        let app = TestApps.shop
        let scope = Scope([.openid, .profile, .email, .groups] + [word].compactMap(\.self))
        try await server.change { repositories in
            var client = try #require(try repositories.clients.find(app.id))
            client.scope = scope
            try repositories.clients.update(client)
        }
        var request = app.request
        request.scope = scope
        let browser = try await server.browser(of: person)
        let first = try await browser.get("authorize?\(request.form.encoded)")
        let answer = first.status == .ok ? try await browser.authorize(query: request.form.encoded) : first
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: app).json(TokenResponse.self)
        let headers: HTTPFields = [.authorization: BearerHeader.value(for: tokens.accessToken)]
        let told = try await server.get("/userinfo", headers: headers)
        let object = try JSONSerialization.jsonObject(with: Data(told.body.readableBytesView)) as? [String: Any]
        return ReceivedClaims(
            idToken: try await server.read(try #require(tokens.idToken).revealed).claims,
            userInfo: try #require(object))
    }

    /// Anna is an admin and so in the staff, Bert is in neither.
    private func prepare() async throws {
        try await server.put(.anna, into: TestGroups.admins)
        _ = try await server.groups.add(TestGroups.staff, note: nil)
        try await server.groups.add([.group(TestGroups.admins)], to: TestGroups.staff)
    }

    private func setVerified(_ isVerified: Bool) async throws {
        try await server.change { repositories in
            for person in TestPerson.allCases {
                var record = try #require(try repositories.people.find(person.subject))
                record.changeEmail(to: record.email, isVerified: isVerified)
                try repositories.people.update(record)
            }
        }
    }

    @Test func `give Grafana the role, by its path or by a claim`() async throws {
        try await prepare()
        var grafana = GrafanaClient()
        let anna = grafana.person(try await claims(of: .anna))
        #expect(anna.login == "anna" && anna.groups == ["admins", "staff"] && anna.role == "Admin")
        #expect(grafana.person(try await claims(of: .bert)).role == "Viewer")
        let values = [ClaimMapping.GroupValue(TestGroups.admins, "Admin"), .init(TestGroups.staff, "Editor")]
        _ = try await server.claims.add(ClaimName("grafana_role"), from: .groups(values), as: .text, in: nil)
        grafana.role = "grafana_role"
        #expect(grafana.person(try await claims(of: .anna)).role == "Admin")
        #expect(grafana.person(try await claims(of: .bert)).role == nil)
        try await server.put(.bert, into: TestGroups.staff)
        #expect(grafana.person(try await claims(of: .bert)).role == "Editor")
    }

    @Test func `let oauth2-proxy through members whose address is verified`() async throws {
        try await prepare()
        let proxy = ProxyClient(allowedGroups: ["staff"])
        try await setVerified(false)
        let unverified = try await claims(of: .anna)
        #expect(throws: ProxyClient.Refusal.unverifiedEmail) { try proxy.headers(unverified) }
        try await setVerified(true)
        let headers = try proxy.headers(try await claims(of: .anna))
        #expect(headers["X-Forwarded-Groups"] == "admins,staff")
        #expect(headers["X-Forwarded-Email"] == "anna@example.org")
        let stranger = try await claims(of: .bert)
        #expect(throws: ProxyClient.Refusal.notInGroup) { try proxy.headers(stranger) }
    }

    @Test func `make an account at Nextcloud, with its quota`() async throws {
        try await prepare()
        let quota = ScopeWord("quota")
        _ = try await server.claims.add(
            ClaimName("quota"), from: .attribute(AttributeName("quota")), as: nil, in: quota)
        try await server.change(.anna) { $0.profile.attributes[AttributeName("quota")] = "5 GB" }
        let anna = try NextcloudClient().account(try await claims(of: .anna, besides: quota))
        #expect(anna.id == "anna" && anna.name == "Anna Ek" && anna.quota == "5 GB")
        #expect(anna.groups == ["admins", "staff"])
        let bert = try NextcloudClient().account(try await claims(of: .bert, besides: quota))
        #expect(bert.quota == nil && bert.groups.isEmpty)
    }

    @Test func `make an account and groups at Proxmox`() async throws {
        try await prepare()
        var proxmox = ProxmoxClient()
        let anna = try proxmox.account(try await claims(of: .anna))
        #expect(anna.userID == "anna@countersign")
        #expect(anna.groups == ["admins-countersign", "staff-countersign"])
        #expect(try proxmox.account(try await claims(of: .bert)).groups == [])
        proxmox.usernameClaim = "subject"
        #expect(try proxmox.account(try await claims(of: .anna)).userID == "subject-of-anna@countersign")
    }
}
