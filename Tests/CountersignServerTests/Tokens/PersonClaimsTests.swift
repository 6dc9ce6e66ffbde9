import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID Connect Core 1.0 §5.1, §5.4, §5.6.2; RFC 9068 §2.2.3.1.
@Suite("The claims about a person", .server)
struct PersonClaimsTests {
    let server = TestServer.current
    private let band = TestGroups.band
    private let staff = TestGroups.staff
    private let admins = TestGroups.admins

    private func userInfo(_ tokens: TokenResponse) async throws -> UserInfo {
        try await server.userInfo(tokens.accessToken)
    }

    @Test func `tell what OpenID Connect defines, as far as it is known`() async throws {
        let updated = server.clock.date - 60
        try await server.change(.anna) {
            $0.profile = PersonProfile(locale: "de-AT", zoneInfo: "Europe/Vienna", updated: updated)
            $0.changeEmail(to: $0.email, isVerified: true)
        }
        let tokens = try await server.signedIn(.radio, scope: "openid profile email")
        let told = try await userInfo(tokens)
        #expect(told.locale == "de-AT" && told.zoneInfo == "Europe/Vienna" && told.emailVerified == true)
        #expect(told.updated == updated.numericDate)
        let token = try await server.read(try #require(tokens.idToken).revealed)
        #expect(token.text("locale") == "de-AT" && token.text("zoneinfo") == "Europe/Vienna")
        #expect(token.number("updated_at") == updated.numericDate && token.claims["email_verified"] as? Bool == true)
        // An access token tells its service no more than it needs.
        let access = try await server.read(tokens.accessToken.revealed)
        #expect(access.names.isDisjoint(with: ["locale", "zoneinfo", "updated_at", "email", "email_verified"]))
        let less = try await userInfo(try await server.signedIn(scope: "openid"))
        #expect(less.locale == nil && less.updated == nil && less.emailVerified == nil)
    }

    @Test(arguments: [TestClients.tv, .radio])
    func `have the groups wherever a client reads them, with the scope that gives them`(
        client: TestClients
    ) async throws {
        try await server.allowGroups(client)
        try await server.put(.anna, into: staff)
        try await server.put(.anna, into: admins)
        _ = try await server.groups.add(band, note: nil)
        try await server.groups.add([.group(staff)], to: band)
        let tokens = try await server.signedIn(client, scope: "openid groups")
        let names = ["admins", "band", "staff"]
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.claims["groups"] as? [String] == names)
        #expect(try await userInfo(tokens).additional.texts(.groups) == names)
        if client == .radio {
            let access = try await server.read(tokens.accessToken.revealed)
            #expect(access.claims["groups"] as? [String] == names)
        }
        let less = try await server.signedIn(client, scope: "openid profile")
        #expect(try await userInfo(less).additional.isEmpty)
        #expect(try await !server.read(try #require(less.idToken).revealed).names.contains("groups"))
    }

    @Test func `are told to a resource server that introspects, as they are now`() async throws {
        try await server.allowGroups(.console)
        try await server.put(.anna, into: staff)
        let token = try await server.signedIn(.console, scope: "openid groups").accessToken.revealed
        #expect(try await server.introspect(token, as: .api).additional.texts(.groups) == ["staff"])
        try await server.take(.anna, outOf: staff)
        let told = try await server.introspect(token, as: .api)
        #expect(told.active && told.additional[.groups] == .texts([]))
        let own = try await server.post("/token", TestClients.robot.form.with(["grant_type": "client_credentials"]))
            .json(TokenResponse.self).accessToken
        let ownTold = try await server.introspect(own.revealed, as: .robot)
        #expect(ownTold.active && ownTold.additional.isEmpty)
    }

    @Test func `change with the next token, also by a change of a group around`() async throws {
        try await server.allowGroups(.tv)
        try await server.put(.anna, into: staff)
        var tokens = try await server.signedIn(scope: "openid groups offline_access")
        _ = try await server.groups.add(band, note: nil)
        try await server.groups.add([.group(staff)], to: band)
        tokens = try await server.refresh(tokens.refreshToken).json(TokenResponse.self)
        var token = try await server.read(try #require(tokens.idToken).revealed)
        #expect(token.claims["groups"] as? [String] == ["band", "staff"])
        _ = try await server.groups.remove(staff)
        tokens = try await server.refresh(tokens.refreshToken).json(TokenResponse.self)
        token = try await server.read(try #require(tokens.idToken).revealed)
        #expect(token.claims["groups"] as? [String] == [])
        _ = try await server.groups.add(staff, note: nil)
        #expect(try await userInfo(tokens).additional.texts(.groups) == [])
    }

    @Test func `have what the operator declared, from groups and attributes`() async throws {
        try await server.allowGroups(.tv)
        for group in [admins, staff] { try await server.put(.anna, into: group) }
        try await server.put(.bert, into: band)
        try await server.change(.anna) { $0.profile.attributes = [AttributeName("department"): "Sales"] }
        let values = [ClaimMapping.GroupValue(admins, "Admin"), .init(staff, "Editor"), .init(band, "Player")]
        _ = try await server.claims.add(ClaimName("roles"), from: .groups(values), as: nil, in: ScopeWord("roles"))
        _ = try await server.claims.add(ClaimName("role"), from: .groups(values), as: .text, in: ScopeWord("roles"))
        _ = try await server.claims.add(
            ClaimName("department"), from: .attribute(AttributeName("department")), as: nil, in: .profile)
        let anna = try await userInfo(try await server.signedIn(scope: "openid profile roles")).additional
        #expect(anna[ClaimName("roles")] == .texts(["Admin", "Editor"]))
        #expect(anna[ClaimName("role")] == .text("Admin"))
        #expect(anna[ClaimName("department")] == .text("Sales"))
        #expect(anna[.groups] == nil)
        let bert = try await userInfo(try await server.signedIn(as: .bert, scope: "openid profile roles")).additional
        #expect(bert.names.map(\.rawValue) == ["role", "roles"] && bert[ClaimName("role")] == .text("Player"))
        let none = try await userInfo(try await server.signedIn(scope: "openid")).additional
        #expect(none.isEmpty)
        _ = try await server.claims.remove(ClaimName("role"))
        let later = try await userInfo(try await server.signedIn(scope: "openid roles")).additional
        #expect(later.names.map(\.rawValue) == ["roles"])
    }

    @Test func `of a word of their own are named where people are asked`() async throws {
        let department = ScopeWord("department")
        try await server.change(.tv) { $0.scope = Scope($0.scope.words + [department]) }
        for name in ["department", "floor"] {
            let attribute = ClaimMapping.Source.attribute(AttributeName(name))
            _ = try await server.claims.add(ClaimName(name), from: attribute, as: nil, in: department)
        }
        let codes = try await server.ask(scope: "openid department")
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode.rawValue)")
        #expect(page.text.contains("See your ") && page.text.contains("department, floor"))
    }

    @Test func `that are very many are at the user info, so that tokens stay short`() async throws {
        try await server.allowGroups(.radio)
        let created = server.clock.date
        try await server.change { repositories in
            for number in 0..<500 {
                let name = GroupName("a-group-with-a-long-name-\(number)")
                try repositories.groups.insert(Group(name: name, created: created))
                try repositories.groups.add(TestPerson.anna.subject, to: name)
            }
        }
        let tokens = try await server.signedIn(.radio, scope: "openid groups")
        for text in [try #require(tokens.idToken).revealed, tokens.accessToken.revealed] {
            #expect(text.utf8.count < 2_000)
            let token = try await server.read(text)
            #expect(token.claims["_claim_names"] as? [String: String] == ["groups": "userinfo"])
            let sources = token.claims["_claim_sources"] as? [String: [String: String]]
            #expect(sources == ["userinfo": ["endpoint": "http://localhost:8080/userinfo"]])
            #expect(!token.names.contains("groups"))
        }
        #expect(try await userInfo(tokens).additional.texts(.groups).count == 500)
    }

    @Test func `are offered in the metadata`() async throws {
        let metadata = try await server.get("/.well-known/openid-configuration").json(AuthorizationServerMetadata.self)
        #expect(metadata.scopesSupported?.contains("groups") == true)
        for claim in ["groups", "email_verified", "updated_at", "locale", "zoneinfo"] {
            #expect(metadata.claimsSupported?.contains(claim) == true, "\(claim)")
        }
    }
}
