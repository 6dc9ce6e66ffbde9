import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A forged decision about an authorization request")
struct AuthorizationForgeryTests {
    /// A change that makes a decision another one than was meant.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout DecisionClaims) -> Void
    }

    static let changes = [
        Change(testDescription: "about other parameters") { $0.authorization.parameters = AnswerDigest(of: []) },
        Change(testDescription: "for another client") { $0.authorization.client = TestApps.phone.id },
        Change(testDescription: "for another address of that client") {
            $0.authorization.redirectURI = "https://shop.example/done?shop=1"
        },
        Change(testDescription: "for more scope") { $0.authorization.scope = Scope([.openid, .profile, .email]) },
        Change(testDescription: "for less scope") { $0.authorization.scope = Scope([.openid]) },
        Change(testDescription: "for another verifier") {
            $0.authorization.challenge = CodeChallenge(of: CodeVerifier(revealing: String(repeating: "x", count: 43)))
        },
    ]

    @Test(arguments: changes)
    func `is refused although its signature is right`(change: Change) async throws {
        try await TestServer.openWithApps { server in
            let phone = try await server.providersApp()
            let looked = try await phone.looked(at: .shop)
            var claims = phone.claims(on: looked)
            change.apply(&claims)
            let answer = try await phone.send(claims, on: looked.parameters)
            #expect(answer.status == .badRequest && answer.error == .invalidGrant)
            // The nonce is not lost by it.
            #expect(try await phone.send(phone.claims(on: looked), on: looked.parameters).status == .ok)
        }
    }

    @Test func `is refused when its claims were exchanged under the signature, or are no decision of this kind`()
        async throws
    {
        try await TestServer.openWithApps { server in
            let phone = try await server.providersApp()
            let looked = try await phone.looked(at: .shop)
            let honest = try phone.signed(phone.claims(on: looked)).split(separator: ".")
            let other = try phone.signed(phone.claims(on: looked, .deny)).split(separator: ".")
            let key = String(decoding: try JSONEncoder.wire.encode(try phone.publicKey), as: UTF8.self)
            let payload = String(decoding: try JSONEncoder.wire.encode(phone.claims(on: looked)), as: UTF8.self)
            let ofKeys = #"{"alg":"ES256","jwk":\#(key),"typ":"countersign-device-key+jwt"}"#
            for text in [
                "\(honest[0]).\(other[1]).\(honest[2])", "\(honest[0]).\(honest[1]).", "", "a.b.c",
                try phone.signed(header: ofKeys, payload: payload),
            ] {
                let answer = try await phone.send(text, on: looked.parameters)
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
            let none = try await server.post(
                server.path("approver/decide"),
                ["decision": honest.joined(separator: ".")],
                headers: phone.headers
            )
            #expect(none.status == .badRequest && none.error == .invalidRequest)
        }
    }

    @Test func `is refused for another request than the signed one`() async throws {
        try await TestServer.openWithApps { server in
            let phone = try await server.providersApp()
            let (shop, native) = (try await phone.looked(at: .shop), try await phone.looked(at: .native))
            let answer = try await phone.send(phone.claims(on: shop), on: native.parameters)
            #expect(answer.status == .badRequest && answer.error == .invalidGrant)
            // The same client, and another state.
            var request = TestApps.shop.request
            request.state = "of the attacker"
            let swapped = try await phone.send(phone.claims(on: shop), on: request.form.encoded)
            #expect(swapped.error == .invalidGrant)
        }
    }

    @Test func `is refused with another key than the first, which is that for screens nearby, too`() async throws {
        try await TestServer.openWithApps { server in
            let annas = try await server.providersApp()
            let looked = try await annas.looked(at: .shop)
            #expect(try await annas.send(annas.claims(on: looked), on: looked.parameters).status == .ok)
            var stolen = annas
            stolen.key = P256.Signing.PrivateKey()
            let again = try await stolen.looked(at: .shop)
            #expect(try await stolen.send(stolen.claims(on: again), on: again.parameters).error == .invalidRequest)
            let screen = try await server.screenNearby()
            #expect(try await stolen.decide(.approve, screen).error == .invalidRequest)
            #expect(try await annas.decide(.approve, screen).status == .ok)
        }
    }

    @Test func `is refused after five minutes`() async throws {
        try await TestServer.openWithApps { server in
            let phone = try await server.providersApp()
            let looked = try await phone.looked(at: .shop)
            server.clock.advance(by: .seconds(300))
            #expect(try await phone.send(phone.claims(on: looked), on: looked.parameters).error == .invalidGrant)
        }
    }

    @Test func `is refused with the nonce of a screen nearby, and that screen's with one of an app`() async throws {
        try await TestServer.openWithApps { server in
            let phone = try await server.providersApp()
            let screen = try await server.screenNearby()
            let (shown, looked) = (try await phone.shown(screen), try await phone.looked(at: .shop))
            var claims = phone.claims(on: looked)
            claims.exchange = shown.response.exchange
            claims.nonce = shown.response.nonce
            claims.shown = shown.digest
            #expect(try await phone.send(claims, on: looked.parameters).error == .invalidGrant)
            var nearby = phone.claims(on: shown, over: screen.link)
            nearby.exchange = looked.response.exchange
            nearby.nonce = looked.response.nonce
            nearby.shown = looked.digest
            #expect(try await phone.send(nearby).error == .invalidGrant)
            #expect(try await server.exchange(of: screen)?.state == .open)
        }
    }
}
