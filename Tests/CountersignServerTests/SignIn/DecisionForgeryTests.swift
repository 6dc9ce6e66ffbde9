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

@Suite("A forged decision, however its request was found")
struct DecisionForgeryTests {
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
        Change(testDescription: "about something else than was shown") { $0.shown = AnswerDigest(of: []) },
        Change(testDescription: "from a minute ago") { $0.issued -= 61 },
        Change(testDescription: "from the future") { $0.issued += 61 },
        Change(testDescription: "at no time") { $0.issued = .max },
        Change(testDescription: "without an identifier") { $0.id = "" },
        Change(testDescription: "with an endless identifier") { $0.id = String(repeating: "x", count: 129) },
    ]

    @Test(arguments: ApprovalMethod.allCases, changes)
    func `is refused although its signature is right`(method: ApprovalMethod, change: Change) async throws {
        try await TestServer.openWithApps { server in
            let found = try await server.found(method, by: try await server.approver(method))
            var claims = found.claims
            change.apply(&claims)
            let answer = try await found.send(claims)
            #expect(answer.status == .badRequest && answer.error == change.expected)
            #expect(try await found.recorded == nil)
            // The nonce is not lost by it.
            #expect(try await found.send().status == .ok)
        }
    }

    /// The answers that belong to other ways.
    static let otherAnswers = ApprovalMethod.allCases.flatMap { method in
        DecisionClaims.Answer.allCases.filter { !method.answers.contains($0) }.map { (method, $0) }
    }

    @Test(arguments: otherAnswers)
    func `is refused with an answer of another way`(
        method: ApprovalMethod,
        answer: DecisionClaims.Answer
    ) async throws {
        try await TestServer.openWithApps { server in
            let found = try await server.found(method, by: try await server.approver(method), answering: answer)
            #expect(try await found.send().error == .invalidRequest)
            #expect(try await found.recorded == nil)
        }
    }

    /// The claims that a decision has to have.
    static let names = ApprovalMethod.allCases.flatMap { method in
        let own =
            switch method {
            case .nearby: ["lnk", "how"]
            case .authorization: ["req", "client_id", "redirect_uri", "scope", "code_challenge"]
            case .inbox: [String]()
            }
        return (["aud", "exc", "nonce", "dec", "shown", "iat", "jti", "method"] + own).map { (method, $0) }
    }

    @Test(arguments: names)
    func `is refused when a claim was changed, left out or of another kind`(
        method: ApprovalMethod,
        claim: String
    ) async throws {
        try await TestServer.openWithApps { server in
            let found = try await server.found(method, by: try await server.approver(method))
            let honest = try found.approver.signed(found.claims).split(separator: ".")
            let payload = try JSONEncoder.wire.encode(found.claims)
            let members = try #require(JSONSerialization.jsonObject(with: payload) as? [String: Any])
            for value in [nil, "x", 5, NSNull(), ["x"], "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] as [Any?] {
                var changed = members
                changed[claim] = value
                let bytes = try JSONSerialization.data(withJSONObject: changed)
                // Under the signature of the honest one.
                let answer = try await found.send(
                    text: "\(honest[0]).\(URLSafeText.encode(Array(bytes))).\(honest[2])")
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
            for value in [nil, 5.5, NSNull(), ["x"]] as [Any?] {
                var changed = members
                changed[claim] = value
                let text = String(decoding: try JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
                let key = String(decoding: try JSONEncoder.wire.encode(try found.approver.publicKey), as: UTF8.self)
                let header = #"{"alg":"ES256","jwk":\#(key),"typ":"countersign-decision+jwt"}"#
                let answer = try await found.send(text: try found.approver.signed(header: header, payload: text))
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
            #expect(try await found.recorded == nil)
        }
    }

    @Test(
        arguments: ApprovalMethod.allCases,
        [
            #"{"alg":"none","typ":"countersign-decision+jwt","jwk":KEY}"#,
            #"{"alg":"HS256","typ":"countersign-decision+jwt","jwk":KEY}"#,
            #"{"alg":"ES256","typ":"countersign-device-key+jwt","jwk":KEY}"#,
            #"{"alg":"ES256","typ":"JWT","jwk":KEY}"#, #"{"alg":"ES256","jwk":KEY}"#,
            #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":KEY,"crit":["exp"],"exp":1}"#,
            #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}"#,
            #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":{"kty":"oct","k":"AA"}}"#,
            #"{"alg":"ES256","typ":"countersign-decision+jwt","jwk":"x"}"#, "{}", "[]", "x", "",
        ])
    func `is refused with another header`(method: ApprovalMethod, header: String) async throws {
        try await TestServer.openWithApps { server in
            let found = try await server.found(method, by: try await server.approver(method))
            let key = String(decoding: try JSONEncoder.wire.encode(try found.approver.publicKey), as: UTF8.self)
            let payload = String(decoding: try JSONEncoder.wire.encode(found.claims), as: UTF8.self)
            let text = try found.approver.signed(header: header.replacing("KEY", with: key), payload: payload)
            #expect(try await found.send(text: text).error == .invalidRequest)
        }
    }

    @Test(
        arguments: ApprovalMethod.allCases,
        ["", ".", "..", "a.b.c", "a.b", "a.b.c.d", String(repeating: "a", count: 20_000)])
    func `is refused when it is no JWS`(method: ApprovalMethod, text: String) async throws {
        try await TestServer.openWithApps { server in
            let approver = try await server.approver(method)
            #expect(try await approver.send(text, on: TestApps.shop.request.form.encoded).error == .invalidRequest)
        }
    }

    @Test(arguments: ApprovalMethod.allCases)
    func `is refused when somebody else signed it, or sends what another’s app was shown`(
        method: ApprovalMethod
    ) async throws {
        try await TestServer.openWithApps { server in
            let annas = try await server.approver(method)
            let berts = try await server.approver(method, of: .bert)
            let other = try await server.approver(method)
            let found = try await server.found(method, by: annas)
            let honest = try annas.signed(found.claims)
            // Signed by one key, and shown with another.
            let mixed = try UnverifiedDecision.text(of: found.claims, by: try annas.publicKey) { bytes in
                Array(try berts.key.signature(for: bytes).rawRepresentation)
            }
            #expect(try await found.send(text: mixed).error == .invalidRequest)
            // Another account, and another app of the same account. A device has a key from the beginning.
            for approver in [berts, other] {
                let isKeyKnown = method == .inbox
                #expect(
                    try await found.send(text: honest, by: approver).error
                        == (isKeyKnown ? .invalidRequest : .invalidGrant))
                #expect(try await found.send(by: approver).error == .invalidGrant)
            }
            #expect(try await found.recorded == nil)
            #expect(try await found.send(text: honest).status == .ok)
        }
    }

    @Test(arguments: [
        (ApprovalMethod.nearby, DecisionClaims.Answer.approve), (.nearby, .deny), (.authorization, .approve),
        (.authorization, .remember), (.authorization, .deny), (.inbox, .approve), (.inbox, .deny), (.inbox, .report),
    ])
    func `is refused when it comes a second time, whatever was decided`(
        method: ApprovalMethod,
        answer: DecisionClaims.Answer
    ) async throws {
        try await TestServer.openWithApps { server in
            let found = try await server.found(method, by: try await server.approver(method), answering: answer)
            #expect(try await found.send().status == .ok)
            let before = try await found.recorded?.signed
            var again = found.claims
            again.id = "another one"
            again.answer = answer.isApproval ? .deny : .approve
            for claims in [found.claims, again] { #expect(try await found.send(claims).error == .invalidGrant) }
            #expect(try await found.recorded?.signed == before && before != nil)
        }
    }

    @Test(arguments: ApprovalMethod.allCases)
    func `is refused from a locked account, and after the request is over`(method: ApprovalMethod) async throws {
        try await TestServer.openWithApps { server in
            let approver = try await server.approver(method)
            let found = try await server.found(method, by: approver)
            server.clock.advance(by: .seconds(300))
            var late = found.claims
            late.issued = server.clock.date.numericDate
            #expect(try await found.send(late).error == .invalidGrant)
            let next = try await server.found(method, by: approver)
            try await server.lock(.anna)
            #expect(try await next.send().status == .unauthorized)
            #expect(try await next.recorded == nil)
        }
    }

    @Test(arguments: ApprovalMethod.allCases)
    func `counts like every other one`(method: ApprovalMethod) async throws {
        try await TestServer.openWithApps(configuring: { $0.limits[.approverPerAccount] = Limit(3, in: 60) }) {
            server in
            let approver = try await server.approver(method)
            // Registering a device counted as well.
            server.clock.advance(by: .seconds(60))
            // The look counts, too.
            let found = try await server.found(method, by: approver)
            #expect(try await found.send(text: "no decision").error == .invalidRequest)
            var wrong = found.claims
            wrong.nonce = DecisionNonce(revealing: "wrong")
            #expect(try await found.send(wrong).error == .invalidGrant)
            let limited = try await found.send()
            #expect(limited.status == .tooManyRequests && limited.headers[.retryAfter] != nil)
            server.clock.advance(by: .seconds(60))
            #expect(try await server.found(method, by: approver).send().status == .ok)
        }
    }
}
