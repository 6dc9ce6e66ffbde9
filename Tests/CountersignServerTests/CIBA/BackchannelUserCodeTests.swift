import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID CIBA Core 1.0 §7.1, §13.
@Suite("A code without which nobody is asked over the back channel")
struct BackchannelUserCodeTests {
    private static let code = "open sesame"

    /// Opens a desk, and lets Anna choose her code at the page.
    private func open(
        sendingCodes: Bool,
        _ test: @escaping @Sendable (TestBackchannelClient, TestBrowser) async throws -> Void
    ) async throws {
        try await TestBackchannelClient.open(editing: { $0.backchannel.sendsUserCodes = sendingCodes }) {
            (desk) async throws -> Void in
            let anna = try await desk.server.browser(of: .anna)
            let chosen = try await anna.post(
                "account/backchannel-user-code", ["backchannel_user_code": " \(Self.code) "])
            #expect(chosen.location?.hasSuffix("done=backchannel-user-code-chosen") == true)
            try await test(desk, anna)
        }
    }

    @Test func `is asked for at a client that sends codes, and lets the person be asked`() async throws {
        try await open(sendingCodes: true) { (desk, anna) async throws -> Void in
            #expect(try await desk.ask().error == .missingUserCode)
            #expect(try await desk.ask(["user_code": "sesame"]).error == .invalidUserCode)
            #expect(try await anna.question() == nil)
            let asked = try await desk.asked(["user_code": Self.code])
            try await anna.answerQuestion("approve")
            #expect(try await desk.poll(asked).status == .ok)
        }
    }

    @Test func `reveals neither who exists nor who chose one`() async throws {
        try await open(sendingCodes: true) { (desk, _) async throws -> Void in
            for name in ["anna", "bert", "nobody"] {
                let wrong = try await desk.ask(["login_hint": name, "user_code": "1234"])
                #expect(wrong.status == .badRequest && wrong.error == .invalidUserCode)
                #expect(try await desk.ask(["login_hint": name]).error == .missingUserCode)
            }
        }
        try await open(sendingCodes: false) { (desk, anna) async throws -> Void in
            for name in ["anna", "bert", "nobody"] { _ = try await desk.asked(["login_hint": name]) }
            _ = try await desk.asked(["user_code": "wrong"])
            #expect(try await anna.question() == nil)
            _ = try await desk.asked(["user_code": Self.code])
            #expect(try await anna.question() != nil)
        }
    }

    @Test func `is not guessed: five wrong ones, and the right one is worth nothing for a while`() async throws {
        try await open(sendingCodes: true) { (desk, _) async throws -> Void in
            for guess in 1000..<1005 {
                #expect(try await desk.ask(["user_code": "\(guess)"]).error == .invalidUserCode)
            }
            #expect(try await desk.ask(["user_code": Self.code]).error == .invalidUserCode)
            desk.server.clock.advance(by: .seconds(601))
            _ = try await desk.asked(["user_code": Self.code])
            // Another client was never kept from asking.
            let other = TestBackchannelClient(server: desk.server, id: "other")
            try await other.register(.poll) { $0.backchannel.sendsUserCodes = true }
            for guess in 1000..<1005 { _ = try await other.ask(["user_code": "\(guess)"]) }
            _ = try await desk.asked(["user_code": Self.code])
        }
    }

    @Test func `is good for as long as the person wants, also after all keys were replaced at once`() async throws {
        try await open(sendingCodes: true) { (desk, _) async throws -> Void in
            let mint = CodeMint(drawingFrom: .system)
            _ = try await desk.server.store.replaceKeys(by: mint, at: desk.server.clock.date)
            _ = try await desk.asked(["user_code": Self.code])
        }
    }

    @Test func `is said not to hold off sites that know the telephone number`() async throws {
        try await open(sendingCodes: true) { (_, anna) async throws -> Void in
            let page = try await anna.get("account?done=backchannel-user-code-chosen").text
            #expect(page.contains("Sites that know your telephone number can."))
        }
    }

    @Test func `is changed and taken away at the page, and stored as a digest`() async throws {
        try await open(sendingCodes: false) { (desk, anna) async throws -> Void in
            let page = try await anna.get("account")
            #expect(page.text.contains("Turn the code off") && !page.text.contains(Self.code))
            let short = try await anna.post("account/backchannel-user-code", ["backchannel_user_code": "abc"])
            #expect(short.location?.hasSuffix("done=backchannel-user-code-refused") == true)
            let person = try await desk.server.store.read { try $0.people.find(TestPerson.anna.subject) }
            #expect(person?.backchannelUserCode != nil && person?.backchannelUserCode != SecretDigest(of: Self.code))
            let removed = try await anna.post("account/backchannel-user-code/remove", [:])
            #expect(removed.location?.hasSuffix("done=backchannel-user-code-removed") == true)
            _ = try await desk.asked()
            #expect(try await anna.question() != nil)
            #expect(try await desk.server.audited(.backchannelUserCodeChosen).count == 1)
            #expect(try await desk.server.audited(.backchannelUserCodeRemoved).count == 1)
        }
    }
}
