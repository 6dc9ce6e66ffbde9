import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

extension SignInTests {
    @Suite("with a hostile or broken server")
    struct Hostile {
        static let page = ScriptedTransport.Reply.text("<html>Log in to this network</html>", type: "text/html")

        @Test(arguments: [
            "", "null", "[]", "{}", "\"text\"", #"{"device_code":1}"#,
            #"{"device_code":"c","user_code":"A","verification_uri":"https://e.com","expires_in":-1}"#,
            #"{"device_code":"c","user_code":"A","verification_uri":"https://e.com","expires_in":0}"#,
            #"{"device_code":"c","user_code":"A","verification_uri":"https://e.com","expires_in":1e300}"#,
            #"{"device_code":"c","user_code":"A","verification_uri":"https://e.com","expires_in":60,"interval":999999}"#,
            #"{"device_code":"c","user_code":"A","verification_uri":"javascript:alert(1)","expires_in":60}"#,
            #"{"device_code":"c","user_code":"\u001b[2JA","verification_uri":"https://e.com","expires_in":60}"#,
            #"{"device_code":"c","user_code":"","verification_uri":"https://e.com","expires_in":60}"#,
        ])
        func `shows nothing of codes that make no sense`(body: String) async throws {
            let server = try ScriptedServer()
            server.transport.reply(at: "/device_authorization", with: .text(body, type: "application/json"))
            let (result, events) = await server.signIn().run()
            #expect(throws: SignInError(.badAnswer, because: "")) { try result.get() }
            #expect(events == [.discovering, .failed(SignInError(.badAnswer, because: ""))])
        }

        @Test(arguments: ["null", "-5", "\"soon\"", "{}", "[5]", "1e999"])
        func `polls as the standard says after an interval that is none`(interval: String) async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            let body = #"""
                {"device_code":"c","user_code":"A","verification_uri":"https://e.com","expires_in":60,\#
                "interval":\#(interval),"verification_uri_complete":5}
                """#
            server.transport.reply(at: "/device_authorization", with: .text(body, type: "application/json"))
            let start = server.clock.date
            _ = try await server.signIn().run().result.get()
            #expect(server.clock.date == start + 5)
        }

        @Test(arguments: [
            page,
            .text("<html>Not found</html>", type: "text/html", status: .notFound),
            .status(.found, fields: [.location: "https://evil.example/"]),
            .status(.noContent),
            .failure(TransportError(.tooLarge, because: "over 1 MiB")),
            .text(#"{"access_token":"t","token_type":"Bearer"}"#, type: "text/html"),
            .text(#"{"access_token":"t","token_type":"mac"}"#, type: "application/json"),
            .text(#"{"access_token":"t\r\nX: y","token_type":"Bearer"}"#, type: "application/json"),
            .text(#"{"access_token":7,"token_type":"Bearer"}"#, type: "application/json"),
            .text(#"{"error":7}"#, type: "application/json", status: .badRequest),
        ])
        func `takes no tokens from an answer that is none`(reply: ScriptedTransport.Reply) async throws {
            let server = try ScriptedServer(reply)
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.badAnswer, because: "")) { try result.get() }
        }

        @Test func `says so when all it finds are pages for people`() async throws {
            let server = try ScriptedServer()
            server.transport.reply(at: ScriptedServer.path, with: Self.page)
            server.transport.reply(at: ScriptedServer.secondPath, with: Self.page)
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.noServerFound, because: "")) { try result.get() }
        }

        @Test func `ends for good by an error that it does not know`() async throws {
            let server = try ScriptedServer(.error(OAuthError.Code("party_time")), ScriptedServer.granted())
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.refused, because: "")) { try result.get() }
            #expect(server.transport.sent(to: "/token").count == 1)
        }

        @Test func `reads errors that come with the status of success`() async throws {
            let pending = #"{"error":"authorization_pending"}"#
            let server = try ScriptedServer(.text(pending, type: "application/json"), ScriptedServer.granted())
            _ = try await server.signIn().run().result.get()
        }

        @Test func `does not retry for longer than a person would wait for a code`() async throws {
            let server = try ScriptedServer()
            server.transport.reply(
                at: "/device_authorization",
                with: .status(.serviceUnavailable, fields: [.retryAfter: "86400"])
            )
            let start = server.clock.date
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.serverFailure, because: "")) { try result.get() }
            #expect(server.clock.date == start)
        }
    }
}
