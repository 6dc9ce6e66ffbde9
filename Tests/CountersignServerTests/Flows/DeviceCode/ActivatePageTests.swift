import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 8628 §3.3, §3.3.1.
@Suite("The page for a code", .server)
struct ActivatePageTests {
    let server = TestServer.current

    @Test func `takes a code however it is typed, and shows who asks`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let plain = codes.userCode.rawValue.replacingOccurrences(of: "-", with: "")
        let spread = plain.map(String.init).joined(separator: "–")
        for typed in [plain, plain.lowercased(), " \(codes.userCode) ", spread] {
            let answer = try await anna.post("activate", ["user_code": typed])
            #expect(answer.location == "/activate/confirm?user_code=\(codes.userCode)")
        }
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(page.status == .ok)
        #expect(page.text.contains("The tv"))
        #expect(page.text.contains(codes.userCode.rawValue))
    }

    @Test(arguments: ["Activate", "ACTIVATE", "aCTIVATE/", "CPA/Verify"])
    func `is found however its address is typed`(path: String) async throws {
        let page = path.lowercased().hasPrefix("cpa") ? "/cpa/verify" : "/activate"
        let anna = try await server.browser(of: .anna)
        let bare = try await anna.get(path)
        #expect(bare.status == .seeOther && bare.location == page)
        let query = "user_code=WDJB-MJHT&to=%0d%0aSet-Cookie:%20a=b"
        #expect(try await anna.get("\(path)?\(query)").location == "\(page)?\(query)")
        for other in ["Activate/Confirm", "xActivate", "Activate.", "Account/Undo", "aktivate"] {
            let answer = try await anna.get(other)
            #expect(answer.status == .notFound && answer.location == nil, "\(other)")
        }
    }

    @Test(arguments: ["", "+", "%20%20", "&return=x"])
    func `says nothing of a problem when the address has no code`(value: String) async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("activate?user_code=\(value)")
        #expect(page.status == .ok && page.text.contains("name=\"user_code\""))
        #expect(!page.text.contains("Problem"))
    }

    @Test func `answers wrong, expired, decided and redeemed codes alike`() async throws {
        let expired = try await server.ask()
        server.clock.advance(by: .seconds(200))
        let anna = try await server.browser(of: .anna)
        let (approved, denied) = (try await server.ask(), try await server.ask())
        let (redeemed, undone) = (try await server.ask(), try await server.ask())
        try await anna.decide("approve", approved)
        try await anna.decide("deny", denied)
        try await anna.decide("approve", redeemed)
        _ = try await server.poll(redeemed)
        let grant = try await anna.approve(undone)
        _ = try await anna.post("account/undo", ["grant": grant.rawValue])
        server.clock.advance(by: .seconds(101))

        // To another person: who decided a request is shown what they answered.
        let bert = try await server.browser(of: .bert)
        let codes = [expired, approved, denied, redeemed, undone].map(\.userCode.rawValue) + ["BBBB-BBBB"]
        var pages: Set<String> = []
        for code in codes {
            let answer = try await bert.post("activate", ["user_code": code])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(code))
            pages.insert(answer.text.replacingOccurrences(of: code, with: ""))
        }
        #expect(pages.count == 1)
    }

    @Test(arguments: [
        "", " ", "WDJB", "WDJB-MJHT-X", "AEIO-UAEI", "WDJB-MJH1", "WDJB\u{301}MJHT", "\u{202E}",
        "<script>", "\"><b>", "'; DROP TABLE exchanges; --", "🦊🦊🦊🦊🦊🦊🦊🦊",
    ])
    func `says of what is no code how a code looks`(typed: String) async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("activate", ["user_code": typed])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("A code has eight letters"))
        var query = Form()
        query["user_code"] = typed
        let shown = try await anna.get("activate?\(query.encoded)")
        #expect(shown.status == .ok && shown.field("user_code") == "")
        #expect(try await anna.get("activate/confirm?\(query.encoded)").location == "/activate")
    }

    /// THREATS 1: a link alone must never stand for a code that a person typed.
    @Test(arguments: ActivatePage.paths, [" ", "-", "%20", "x", "\u{A0}"])
    func `never puts a code of a link, with whatever follows it, where codes are typed`(
        path: String,
        filler: String
    ) async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        for count in [0, 1, 31, 40, 200] {
            var query = Form()
            query["user_code"] = codes.userCode.description + String(repeating: filler, count: count) + "A"
            let shown = try await anna.get("\(path)?\(query.encoded)")
            #expect(shown.field("user_code") == "", "\(count)")
            #expect(!shown.visible.contains(codes.userCode.description), "\(count)")
            // Neither is what was typed shortened to a code.
            let typed = try await anna.post(path, query)
            let again = typed.field("user_code") ?? ""
            #expect(again.isEmpty || again == query["user_code"], "\(count)")
        }
    }

    @Test func `survives codes of any length`() async throws {
        let anna = try await server.browser(of: .anna)
        let huge = String(repeating: "B-", count: 25_000)
        #expect(try await anna.post("activate", ["user_code": huge]).status == .unprocessableContent)
        #expect(try await anna.post("activate", ["user_code": huge + huge]).status == .badRequest)
        #expect(try await anna.get("activate?user_code=\(huge)").status == .ok)
    }

    @Test func `takes nothing when it is opened by a link`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let before = try await server.dump()
        let page = try await anna.get("activate?user_code=\(codes.userCode)")
        #expect(page.status == .ok)
        #expect(page.field("user_code") == codes.userCode.rawValue)
        #expect(page.field("by_link") == "1")
        #expect(!page.text.contains("The tv"))
        let confirm = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(confirm.location == "/activate?user_code=\(codes.userCode)")
        #expect(try await anna.get("activate?not_mine=1").text.contains("Nothing was approved"))
        #expect(try await server.dump() == before)
    }

    @Test func `looks the same by link for a code that exists and one that does not`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let real = try await anna.get("activate?user_code=\(codes.userCode)")
        let wrong = try await anna.get("activate?user_code=BBBB-BBBB")
        let there = real.text.replacingOccurrences(of: codes.userCode.rawValue, with: "")
        #expect(there == wrong.text.replacingOccurrences(of: "BBBB-BBBB", with: ""))
    }

    static let ways: [(String?, Evidence.Proof)] = [(nil, .codeTyped), ("1", .linkOpened)]

    @Test(arguments: ways)
    func `notes how the code came`(byLink: String?, proof: Evidence.Proof) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        var form: Form = ["user_code": codes.userCode.rawValue]
        form["by_link"] = byLink
        _ = try await anna.post("activate", form)
        _ = try await anna.answer("approve", codes)
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        let proofs = stored?.exchange.grant?.evidence.proofs
        #expect(proofs == [proof, .accountPassword(at: server.clock.date), .network(.yes)])
    }

    @Test func `lets another person take a request over until the decision`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        try await anna.take(codes)
        #expect(try await bert.take(codes).location?.hasPrefix("/activate/confirm") == true)

        #expect(try await anna.answer("approve", codes).location == "/activate?user_code=\(codes.userCode)")
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await bert.answer("approve", codes).location?.hasPrefix("/activate/result") == true)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let idToken = try #require(tokens.idToken).revealed
        #expect(try await server.read(idToken).text("sub") == TestPerson.bert.subject.rawValue)
        #expect(try await anna.take(codes).status == .unprocessableContent)
    }
}
