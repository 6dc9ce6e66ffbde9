import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The export of one's own account", .server)
struct AccountExportPageTests {
    private let server = TestServer.current

    /// The export of Anna's account.
    private func exported() async throws -> (answer: TestResponse, json: [String: Any]) {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("account/export", [:])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        return (answer, json)
    }

    @Test func `is a file with everything about the person`() async throws {
        _ = try await server.tokens()
        try await server.mute(.tv)
        let staff = Group(name: GroupName("staff"), created: server.clock.date)
        try await server.change { repositories in
            try repositories.groups.insert(staff)
            try repositories.groups.add(TestPerson.anna.subject, to: staff.name)
            var anna = try #require(try repositories.people.find(TestPerson.anna.subject))
            anna.profile.attributes[AttributeName("room")] = "1"
            try repositories.people.update(anna)
        }
        let (answer, json) = try await exported()
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"account.json\"")
        #expect(answer.headers[.cacheControl] == "no-store")
        let profile = try #require(json["profile"] as? [String: Any])
        #expect(profile["username"] as? String == "anna" && profile["email"] as? String == "anna@example.org")
        #expect(json["attributes"] as? [String: String] == ["room": "1"] && json["groups"] as? [String] == ["staff"])
        #expect(profile["role"] as? String == "user")
        let lists = ["sign_ins", "browser_sessions", "mutes", "audit"]
        for list in lists { #expect((json[list] as? [Any])?.isEmpty == false, "\(list)") }
        for list in ["devices", "consents", "passkeys", "remembered_screens", "identities", "phone_numbers"] {
            #expect(json[list] as? [Any] != nil, "\(list)")
        }
        let acts = (json["audit"] as? [[String: Any]])?.compactMap { $0["act"] as? String } ?? []
        #expect(acts.contains("browser.signed_in") && acts.contains("sign_in.redeemed"))
        #expect(try await server.audited(.personExported).map(\.by) == [.person])
    }

    @Test func `has the sign-ins that have not ended`() async throws {
        _ = try await server.tokens()
        _ = try await server.people().signOutEverywhere(TestPerson.anna.subject)
        _ = try await server.tokens()
        let signIns = try #require(try await exported().json["sign_ins"] as? [[String: Any]])
        #expect(signIns.count == 1)
    }

    @Test func `has no secret, no hash and nobody else`() async throws {
        let tokens = try await server.tokens()
        _ = try await server.browser(of: .bert)
        let text = try await exported().answer.text
        let anna = try await server.store.read { try $0.people.find(TestPerson.anna.subject) }
        let hash = try #require(anna?.password)
        for secret in [hash.text, tokens.accessToken.revealed, "$scrypt", "bert", TestPerson.bert.subject.rawValue] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test func `needs a recent sign-in and a form of the page`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("account/export").text.contains("Download"))
        #expect(try await anna.post("account/export", ["form_token": "x"]).status != .ok)
        server.clock.advance(by: .seconds(301))
        for answer in [try await anna.get("account/export"), try await anna.post("account/export", [:])] {
            #expect(answer.location?.hasPrefix("/login?again=recent") == true)
        }
        #expect(try await server.audited(.personExported).isEmpty)
        #expect(try await server.newBrowser().get("account/export").location?.hasPrefix("/login") == true)
    }
}

extension TestServer {
    /// The tokens of a screen that Anna approved.
    func tokens() async throws -> TokenResponse {
        let codes = try await ask()
        try await browser(of: .anna).decide("approve", codes)
        return try await poll(codes).json(TokenResponse.self)
    }
}
