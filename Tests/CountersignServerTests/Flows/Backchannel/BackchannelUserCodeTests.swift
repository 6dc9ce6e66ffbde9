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

    /// Opens a server with the client, and lets Anna choose her code at the page.
    private func open(
        sendingCodes: Bool,
        _ test: @escaping @Sendable (TestBackchannelClient, TestBrowser) async throws -> Void
    ) async throws {
        try await TestBackchannelClient.open(editing: { $0.backchannel.sendsUserCodes = sendingCodes }) {
            (client) async throws -> Void in
            let anna = try await client.server.browser(of: .anna)
            let chosen = try await anna.post(
                "account/backchannel-user-code", ["backchannel_user_code": " \(Self.code) "])
            #expect(chosen.location?.hasSuffix("done=backchannel-user-code-chosen") == true)
            try await test(client, anna)
        }
    }

    @Test func `is asked for at a client that sends codes, and lets the person be asked`() async throws {
        try await open(sendingCodes: true) { (client, anna) async throws -> Void in
            #expect(try await client.ask().error == .missingUserCode)
            #expect(try await client.ask(["user_code": "sesame"]).error == .invalidUserCode)
            #expect(try await anna.question() == nil)
            let asked = try await client.asked(["user_code": Self.code])
            try await anna.answerQuestion("approve")
            #expect(try await client.poll(asked).status == .ok)
        }
    }

    @Test func `reveals neither who exists nor who chose one`() async throws {
        try await open(sendingCodes: true) { (client, _) async throws -> Void in
            for name in ["anna", "bert", "nobody"] {
                let wrong = try await client.ask(["login_hint": name, "user_code": "1234"])
                #expect(wrong.status == .badRequest && wrong.error == .invalidUserCode)
                #expect(try await client.ask(["login_hint": name]).error == .missingUserCode)
            }
        }
        try await open(sendingCodes: false) { (client, anna) async throws -> Void in
            for name in ["anna", "bert", "nobody"] { _ = try await client.asked(["login_hint": name]) }
            _ = try await client.asked(["user_code": "wrong"])
            #expect(try await anna.question() == nil)
            _ = try await client.asked(["user_code": Self.code])
            #expect(try await anna.question() != nil)
        }
    }

    @Test func `is not guessed: twelve wrong ones, and the right one is worth nothing for a while`() async throws {
        try await open(sendingCodes: true) { (client, _) async throws -> Void in
            for guess in 1000..<1012 {
                #expect(try await client.ask(["user_code": "\(guess)"]).error == .invalidUserCode)
            }
            #expect(try await client.ask(["user_code": Self.code]).error == .invalidUserCode)
            // One attempt leaks in two minutes.
            client.server.clock.advance(by: .seconds(120))
            _ = try await client.asked(["user_code": Self.code])
            // Another client was never kept from asking.
            let other = TestBackchannelClient(server: client.server, name: "other")
            try await other.register(.poll) { $0.backchannel.sendsUserCodes = true }
            for guess in 1000..<1012 { _ = try await other.ask(["user_code": "\(guess)"]) }
            _ = try await client.asked(["user_code": Self.code])
        }
    }

    @Test func `is good for as long as the person wants, also after all keys were replaced at once`() async throws {
        try await open(sendingCodes: true) { (client, _) async throws -> Void in
            let mint = CodeMint(drawingFrom: .system)
            _ = try await client.server.store.replaceKeys(by: mint, at: client.server.clock.date)
            _ = try await client.asked(["user_code": Self.code])
        }
    }

    @Test func `is said not to hold off sites that know the telephone number`() async throws {
        try await open(sendingCodes: true) { (_, anna) async throws -> Void in
            let page = try await anna.get("account?done=backchannel-user-code-chosen").text
            #expect(page.contains("requests to your telephone number do not."))
        }
    }

    @Test func `is changed and taken away at the page, and stored as a digest`() async throws {
        try await open(sendingCodes: false) { (client, anna) async throws -> Void in
            let page = try await anna.get("account")
            #expect(page.text.contains("Turn the code off") && !page.text.contains(Self.code))
            let short = try await anna.post("account/backchannel-user-code", ["backchannel_user_code": "abc"])
            #expect(short.location?.hasSuffix("done=backchannel-user-code-refused") == true)
            let person = try await client.server.store.read { try $0.people.find(TestPerson.anna.subject) }
            #expect(person?.backchannelUserCode != nil && person?.backchannelUserCode != SecretDigest(of: Self.code))
            let removed = try await anna.post("account/backchannel-user-code/remove", [:])
            #expect(removed.location?.hasSuffix("done=backchannel-user-code-removed") == true)
            _ = try await client.asked()
            #expect(try await anna.question() != nil)
            #expect(try await client.server.audited(.backchannelUserCodeChosen).count == 1)
            #expect(try await client.server.audited(.backchannelUserCodeRemoved).count == 1)
        }
    }
}
