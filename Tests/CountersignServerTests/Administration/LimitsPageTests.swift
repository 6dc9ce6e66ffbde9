import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page of limits")
struct LimitsPageTests {
    private let network = "198.51.100.7"

    /// The fields of the forms on the page that lift a limit.
    private func offers(_ page: TestResponse) -> [Form] {
        Markup(page.text).forms.filter { $0.form.attributes["action"] == "/admin/limits/lift" }.map { form in
            var fields = Form()
            for tag in form.inside where tag.name == "input" && tag.attributes["name"] != "form_token" {
                if let name = tag.attributes["name"] { fields[name] = tag.attributes["value"] }
            }
            return fields
        }
    }

    @Test(.server { $0.limits[.startPerAddress] = Limit(3, in: 600) })
    func `names the network that is held back, and lifts the limit for it at once`() async throws {
        let server = TestServer.current
        let anna = try await server.administrator()
        #expect(try await anna.get("admin/limits").text.contains("Held back now"))
        #expect(try await offers(anna.get("admin/limits")) == [])
        try await server.exhaust(.address(.startPerAddress, network))
        let page = try await anna.get("admin/limits")
        #expect(page.text.contains("start-per-address \(network)") && page.text.contains("3/600"))
        let form = try #require(offers(page).first)
        #expect(try await anna.post("admin/limits/lift", form).location == "/admin/limits?done=lifted")
        let after = try await anna.get("admin/limits?done=lifted")
        #expect(after.text.contains("The limit is lifted.") && offers(after) == [])
        #expect(try await anna.post("admin/limits/lift", form).status == .notFound)
        let audited = try await server.audited(.limitLifted)
        #expect(audited.map(\.by) == [.person] && audited.map(\.subject) == [TestPerson.anna.subject])
        #expect(audited.map(\.detail) == ["start-per-address \(network)"])
    }

    @Test(.server)
    func `lifts every kind of limit that it names`() async throws {
        let server = TestServer.current
        let (anna, bert, tv) = (try await server.administrator(), TestPerson.bert.subject, ClientID("tv"))
        let keys: [(RateLimitKey, String)] = [
            (.client(.startPerClient, tv), "start-per-client tv"),
            (.subject(.mailPerPerson, bert), "mail-per-person bert"),
            (.source(.questionPerSource, tv, bert), "question-per-source tv bert"),
            (.name("31", .textPerPrefix), "text-per-prefix 31"), (.overall(.mailOverall), "mail-overall"),
            (.address(.mailPerAddress, "2001:db8:0:1::7"), "mail-per-address 2001:db8:0:1::/64"),
        ]
        for (key, name) in keys {
            try await server.exhaust(key)
            let page = try await anna.get("admin/limits")
            #expect(page.text.contains("<bdi>\(name)</bdi>"), "\(name)")
            let offered = offers(page)
            #expect(offered.count == 1, "\(name)")
            for form in offered {
                #expect(try await anna.post("admin/limits/lift", form).status == .seeOther, "\(name)")
            }
        }
        let about = try await server.audited(.limitLifted).filter { $0.subject == bert }
        #expect(about.map(\.by) == [.administrator, .administrator])
        #expect(
            about.map(\.detail) == [
                "mail-per-person; by \(TestPerson.anna.subject)", "question-per-source; by \(TestPerson.anna.subject)",
            ])
    }

    /// The command cannot reach the memory of the server.
    @Test(
        .server {
            $0.limits[.tokenPerAddress] = Limit(3, in: 60)
            $0.limits[.wrongProofPerAddress] = Limit(3, in: 60)
        })
    func `lifts what its own server remembers, too`() async throws {
        let server = TestServer.current
        let anna = try await server.administrator()
        let core = server.server.services.core
        let rateKey: RateLimitKey = .address(.tokenPerAddress, network)
        for _ in 1...3 {
            try core.requestLimiter.admit(rateKey)
            try await core.wrongProofs.refuse(from: network)
        }
        try await core.requestLimiter.share()
        #expect(throws: RateLimitError.self) { try core.requestLimiter.admit(rateKey) }
        await #expect(throws: RateLimitError.self) { try await core.wrongProofs.refuse(from: network) }
        await #expect(throws: LimitRegistry.RememberedLimitError.self) {
            try await server.limits.lift(.tokenPerAddress, of: .network(network))
        }
        let offered = try await offers(anna.get("admin/limits"))
        #expect(Set(offered.map { $0["limit"] }) == ["token-per-address", "wrong-proof-per-address"])
        for form in offered { #expect(try await anna.post("admin/limits/lift", form).status == .seeOther) }
        try core.requestLimiter.admit(rateKey)
        try await core.wrongProofs.refuse(from: network)
    }

    @Test(.server { $0.limits[.startPerAddress] = Limit(1, in: 600) })
    func `shows the last fifty parties, and says that further ones are held back`() async throws {
        let server = TestServer.current
        let anna = try await server.administrator()
        for host in 1...50 { try await server.exhaust(.address(.startPerAddress, "198.51.100.\(host)")) }
        let whole = try await anna.get("admin/limits")
        #expect(offers(whole).count == 50 && !whole.text.contains("Further parties are held back."))
        try await server.exhaust(.address(.startPerAddress, network + "1"))
        let page = try await anna.get("admin/limits")
        let networks = (2...50).map { "198.51.100.\($0)" } + [network + "1"]
        #expect(page.text.contains("Further parties are held back."))
        #expect(Set(offers(page).compactMap { $0["name"] }) == Set(networks))
        #expect(try await server.limits.held().count == 51)
    }

    /// The audit names the party of a limit by its kind, so a form may not name the count in other words.
    @Test(.server { $0.limits[.passwordPerAccount] = Limit(3, in: 600) })
    func `lifts no limit for a party of another kind than it counts`() async throws {
        let server = TestServer.current
        let (anna, bert) = (try await server.administrator(), TestPerson.bert)
        try await server.exhaust(.name("bert", .passwordPerAccount))
        try await server.exhaust(.overall(.mailOverall))
        let forms: [Form] = [
            ["limit": "password-per-account", "name": "bert"], ["limit": "password-per-account"],
            ["limit": "password-per-account", "client": "tv", "subject": bert.subject.rawValue],
            ["limit": "mail-overall", "name": "bert"], ["limit": "text-per-number", "name": "+31612345678"],
            ["limit": "nothing"],
        ]
        for form in forms {
            #expect(try await anna.post("admin/limits/lift", form).status == .forbidden, "\(form)")
        }
        #expect(try await server.audited(.limitLifted) == [])
        let person: Form = ["limit": "password-per-account", "subject": bert.subject.rawValue]
        #expect(try await anna.post("admin/limits/lift", person).status == .seeOther)
        #expect(try await server.audited(.limitLifted).map(\.subject) == [bert.subject])
    }

    @Test(.server { $0.limits[.startPerAddress] = Limit(3, in: 600) })
    func `offers an auditor nothing, and shows one person's entries alone where it is asked to`() async throws {
        let server = TestServer.current
        let auditor = try await server.administrator(as: .auditor)
        try await server.exhaust(.address(.startPerAddress, network))
        let page = try await auditor.get("admin/limits")
        #expect(page.text.contains("start-per-address \(network)") && offers(page) == [])
        #expect(try await !auditor.get("admin/limits?person=bert").text.contains("Held back now"))
        let form: Form = ["limit": "start-per-address", "name": network]
        #expect(try await auditor.post("admin/limits/lift", form).status == .forbidden)
        #expect(try await server.limits.held().count == 1)
    }
}
