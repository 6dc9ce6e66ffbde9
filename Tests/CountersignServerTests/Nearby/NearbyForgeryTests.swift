import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("A forged decision")
struct NearbyForgeryTests {
    /// A change that makes a decision another one than was meant.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var expected = OAuthError.Code.invalidRequest
        let apply: @Sendable (inout DecisionClaims) -> Void
    }

    static let changes = [
        Change(testDescription: "for another server") { $0.audience = "https://other.example" },
        Change(testDescription: "for the same server with a slash") { $0.audience += "/" },
        Change(testDescription: "about another request", expected: .invalidGrant) {
            $0.exchange = SignInRequest.ID("other")
        },
        Change(testDescription: "with another nonce", expected: .invalidGrant) {
            $0.nonce = DecisionNonce(revealing: "other")
        },
        Change(testDescription: "about something else than was shown") { $0.shown = ShownDigest(of: []) },
        Change(testDescription: "from a minute ago") { $0.issued -= 61 },
        Change(testDescription: "from the future") { $0.issued += 61 },
        Change(testDescription: "at no time") { $0.issued = .max },
        Change(testDescription: "by a pairing to come") { $0.nearby.proof = .paired(at: $0.issued + 61) },
        Change(testDescription: "by a pairing before there were any") { $0.nearby.proof = .paired(at: -300_000_000_000) },
        Change(testDescription: "by a pairing at no time") { $0.nearby.proof = .paired(at: .min) },
        Change(testDescription: "without an identifier") { $0.id = "" },
        Change(testDescription: "with an endless identifier") { $0.id = String(repeating: "x", count: 129) },
    ]

    @Test(arguments: changes)
    func `is refused although its signature is right`(change: Change) async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            let screen = try await server.screenNearby()
            let shown = try await phone.shown(screen)
            var claims = phone.claims(on: shown, over: screen.link)
            change.apply(&claims)
            let answer = try await phone.send(claims)
            #expect(answer.status == .badRequest && answer.error == change.expected)
            #expect(try await server.exchange(of: screen)?.state == .open)
            // The nonce is not lost by it.
            #expect(try await phone.send(phone.claims(on: shown, over: screen.link)).status == .ok)
        }
    }

    @Test(arguments: ["aud", "exc", "nonce", "dec", "shown", "method", "lnk", "how", "iat", "jti"])
    func `is refused when a claim was changed, left out or of another kind`(claim: String) async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            let screen = try await server.screenNearby()
            let shown = try await phone.shown(screen)
            let claims = phone.claims(on: shown, over: screen.link)
            let honest = try phone.signed(claims)
            let payload = try JSONEncoder.wire.encode(claims)
            let members = try #require(JSONSerialization.jsonObject(with: payload) as? [String: Any])
            for value in [nil, "x", 5, NSNull(), ["x"], "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] as [Any?] {
                var changed = members
                changed[claim] = value
                let bytes = try JSONSerialization.data(withJSONObject: changed)
                // Under the signature of the honest one.
                let parts = honest.split(separator: ".")
                let forged = "\(parts[0]).\(URLSafeText.encode(Array(bytes))).\(parts[2])"
                let answer = try await phone.send(forged)
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
            for value in [nil, 5.5, NSNull(), ["x"]] as [Any?] {
                var changed = members
                changed[claim] = value
                let text = String(decoding: try JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
                let key = String(decoding: try JSONEncoder.wire.encode(try phone.publicKey), as: UTF8.self)
                let header = #"{"alg":"ES256","jwk":\#(key),"typ":"countersign-decision+jwt"}"#
                let answer = try await phone.send(try phone.signed(header: header, payload: text))
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
            #expect(try await server.exchange(of: screen)?.state == .open)
        }
    }

    @Test(arguments: [
        #"{"alg":"none","typ":"countersign-decision+jwt","jwk":KEY}"#,
        #"{"alg":"HS256","typ":"countersign-decision+jwt","jwk":KEY}"#,
        #"{"alg":"ES256","typ":"JWT","jwk":KEY}"#, #"{"alg":"ES256","jwk":KEY}"#,
        #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":KEY,"crit":["exp"],"exp":1}"#,
        #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}"#,
        #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":{"kty":"oct","k":"AA"}}"#,
        #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":"x"}"#, "{}", "[]", "x", "",
    ])
    func `is refused with another header`(header: String) async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            let screen = try await server.screenNearby()
            let claims = phone.claims(on: try await phone.shown(screen), over: screen.link)
            let key = String(decoding: try JSONEncoder.wire.encode(try phone.publicKey), as: UTF8.self)
            let payload = String(decoding: try JSONEncoder.wire.encode(claims), as: UTF8.self)
            let text = try phone.signed(header: header.replacing("KEY", with: key), payload: payload)
            #expect(try await phone.send(text).error == .invalidRequest)
        }
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "a.b", "a.b.c.d", String(repeating: "a", count: 5_000)])
    func `is refused when it is no JWS`(text: String) async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            #expect(try await phone.send(text).error == .invalidRequest)
        }
    }

    @Test func `is refused when somebody else signed it, or sends what another’s phone was shown`() async throws {
        try await TestServer.open { server in
            let (annas, berts) = (try await server.phone(), try await server.phone(of: .bert))
            let other = try await server.phone()
            let screen = try await server.screenNearby()
            let shown = try await annas.shown(screen)
            let claims = annas.claims(on: shown, over: screen.link)
            let honest = try annas.signed(claims)
            // Signed by one key, and shown with another.
            let mixed = try UnverifiedDecision.text(of: claims, by: try annas.publicKey) { bytes in
                Array(try berts.key.signature(for: bytes).rawRepresentation)
            }
            #expect(try await annas.send(mixed).error == .invalidRequest)
            // Another account, and another phone of the same account.
            for phone in [berts, other] {
                #expect(try await phone.send(honest).error == .invalidGrant)
                #expect(try await phone.send(phone.claims(on: shown, over: screen.link)).error == .invalidGrant)
            }
            #expect(try await server.exchange(of: screen)?.state == .open)
            #expect(try await annas.send(honest).status == .ok)
        }
    }

    @Test func `is refused when it comes a second time, whatever was decided`() async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            for answer in [DecisionClaims.Answer.approve, .deny] {
                let screen = try await server.screenNearby()
                let shown = try await phone.shown(screen)
                let first = phone.claims(on: shown, answer, over: screen.link)
                #expect(try await phone.send(first).status == .ok)
                let before = try await server.exchange(of: screen)
                var again = first
                again.id = "another one"
                again.answer = answer == .approve ? .deny : .approve
                for claims in [first, again] {
                    #expect(try await phone.send(claims).error == .invalidGrant)
                }
                #expect(try await server.exchange(of: screen) == before)
            }
        }
    }

    @Test func `is refused from a locked account, and after the request is over`() async throws {
        try await TestServer.open { server in
            let (annas, berts) = (try await server.phone(), try await server.phone(of: .bert))
            let (first, second) = (try await server.screenNearby(), try await server.screenNearby())
            let locked = annas.claims(on: try await annas.shown(first), over: first.link)
            let late = try await berts.shown(second)
            try await server.lock(.anna)
            #expect(try await annas.send(locked).status == .unauthorized)
            #expect(try await server.exchange(of: first)?.state == .open)
            server.clock.advance(by: .seconds(300))
            #expect(try await berts.send(berts.claims(on: late, over: second.link)).error == .invalidGrant)
        }
    }

    @Test func `counts like every other one`() async throws {
        try await TestServer.open(configuring: { $0.limits[.approverPerAccount] = Limit(3, in: 60) }) { server in
            let phone = try await server.phone()
            // The look counts, too.
            let screen = try await server.screenNearby()
            let claims = phone.claims(on: try await phone.shown(screen), over: screen.link)
            #expect(try await phone.send("no decision").error == .invalidRequest)
            var wrong = claims
            wrong.nonce = DecisionNonce(revealing: "wrong")
            #expect(try await phone.send(wrong).error == .invalidGrant)
            let limited = try await phone.send(claims)
            #expect(limited.status == .tooManyRequests && limited.headers[.retryAfter] != nil)
            server.clock.advance(by: .seconds(60))
            #expect(
                try await phone.send(phone.claims(on: try await phone.shown(screen), over: screen.link)).status == .ok)
        }
    }
}
