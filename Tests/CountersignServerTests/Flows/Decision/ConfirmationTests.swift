import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §8.3.
@Suite("A request that is addressed to a person", .server)
struct ConfirmationTests {
    let server = TestServer.current

    @Test(arguments: ["activate", "cpa/verify"])
    func `waits for them at both addresses, above the form for a code`(path: String) async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let asked = try await server.associate(device, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get(path)
        #expect(page.text.contains("Your answer is awaited"))
        #expect(page.text.contains("Radio &lt;Ö&gt;") && page.text.contains("radio.example"))
        #expect(page.text.contains("Kitchen &lt;b&gt;Radio&lt;/b&gt;"))
        #expect(page.field("request") == asked.id.rawValue)
        #expect(page.field("user_code") != nil)

        let others = try await server.browser(of: .bert).get(path)
        #expect(others.field("request") == nil && others.field("user_code") != nil)
        #expect(others.text.contains("Enter the code on your screen"))
    }

    /// In the reference provider it stays in the list for ever, and no new device can be tied.
    @Test func `hides nothing when it has expired`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        _ = try await server.associate(device, addressedTo: .anna)
        let code = try await server.associate(device, lifetime: 900)
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(300))

        let page = try await anna.get("cpa/verify")
        #expect(page.text.contains("Enter the code on your screen"))
        #expect(page.field("request") == nil)
        #expect(try await anna.post("cpa/verify", ["user_code": code.userCode.description]).location != nil)
    }

    @Test func `changes nothing when it is looked at`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let asked = try await server.associate(device, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        let before = try await server.dump()
        for path in ["activate", "cpa/verify", "cpa/verify/"] {
            #expect(try await anna.get(path).status == .ok)
            #expect(try await anna.get("\(path)?request=\(asked.id)").status == .ok)
        }
        #expect(try await anna.get("activate/confirm?request=\(asked.id)").location == "/activate")
        #expect(try await server.dump() == before)
    }

    @Test func `is taken without a code, shown with its service, and approved`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let asked = try await server.associate(device, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        let taken = try await anna.post("cpa/verify", ["request": asked.id.rawValue])
        #expect(taken.location == "/activate/confirm?request=\(asked.id)")

        let page = try await anna.get("activate/confirm?request=\(asked.id)")
        let facts = Markup(page.text).all("div").compactMap { $0.attributes["class"] }
            .filter { $0.hasPrefix("fact") }
        #expect(facts == ["fact asserted", "fact verified", "fact observed", "fact observed", "fact asserted"])
        #expect(page.text.contains("Radio &lt;Ö&gt; (radio.example)"))
        #expect(page.field("user_code") == nil)

        let answer = try await anna.answer("approve", ["request": asked.id.rawValue])
        #expect(answer.location == "/activate/result?request=\(asked.id)")
        let exchange = try await server.exchange(asked)
        #expect(exchange.grant?.subject == TestPerson.anna.subject)
        let proofs: [Evidence.Proof] = [
            .signedInBefore, .accountPassword(at: server.clock.date), .network(.yes),
        ]
        #expect(exchange.grant?.evidence.proofs == proofs)
        let result = try await anna.get("activate/result?request=\(asked.id)").text
        #expect(result.contains("will use \u{2068}Radio &lt;Ö&gt;\u{2069} as you."))
    }

    @Test func `stays refused, and ties nothing`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let anna = try await server.browser(of: .anna)
        let code = try await server.associate(device)
        let confirmation = try await server.associate(device, addressedTo: .anna)
        let names: [Form] = [["user_code": code.userCode.description], ["request": confirmation.id.rawValue]]
        for (name, asked) in zip(names, [code, confirmation]) {
            _ = try await anna.post("activate", name)
            #expect(try await anna.answer("deny", name).location != nil)
            let refused = try await server.exchange(asked)
            #expect(try await anna.post("activate", name).location == "/activate/result?request=\(asked.id)")
            #expect(
                try await anna.answer("approve", name).location == "/activate/result?request=\(asked.id)")
            #expect(try await server.exchange(asked) == refused)
            #expect(refused.grant == nil)
        }
        let records = try await server.store.read { try $0.signIns.all(of: device, limit: 10) }
        #expect(records.isEmpty)
        #expect(try await anna.get("account").text.contains("No screen is signed in as you."))
    }

    @Test func `does not exist for anybody else, and nobody else’s request is taken without its code`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let hers = try await server.associate(device, addressedTo: .anna)
        let open = try await server.associate(device)
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let before = try await server.dump()
        for request in [hers.id.rawValue, open.id.rawValue, "unknown", "' OR 1=1 --", "é"] {
            #expect(try await bert.post("activate", ["request": request]).status == .unprocessableContent)
            #expect(try await bert.answer("approve", ["request": request]).location == "/activate")
            #expect(try await bert.get("activate/result?request=\(hers.id)").status == .notFound)
        }
        #expect(try await anna.post("activate", ["request": open.id.rawValue]).status == .unprocessableContent)
        let code: Form = ["user_code": hers.userCode.description]
        #expect(try await bert.post("activate", code).status == .unprocessableContent)
        #expect(try await server.dump() == before)
    }

    @Test func `is held for two minutes, and is then found in the list again`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let asked = try await server.associate(device, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("activate", ["request": asked.id.rawValue])
        server.clock.advance(by: .seconds(120))
        #expect(try await anna.answer("approve", ["request": asked.id.rawValue]).location == "/activate")
        #expect(try await anna.get("activate").field("request") == asked.id.rawValue)
        #expect(try await server.exchange(asked).grant == nil)
    }

    @Test func `cannot be approved for a service that was removed meanwhile`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let asked = try await server.associate(device, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("activate", ["request": asked.id.rawValue])
        try await server.change { _ = try $0.domains.remove(TestDomains.radio.name) }
        #expect(try await anna.get("activate").field("request") == nil)
        #expect(try await anna.answer("approve", ["request": asked.id.rawValue]).status == .gone)
        #expect(try await server.exchange(asked).grant == nil)
    }
}
