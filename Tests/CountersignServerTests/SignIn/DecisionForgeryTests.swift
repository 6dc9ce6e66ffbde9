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

@Suite("A forged decision", .server(withApps: true))
struct DecisionForgeryTests {
    let server = TestServer.current

    /// A change that makes a decision another one than was meant.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var methods = ApprovalMethod.allCases
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
        Change(testDescription: "by a pairing in the future", methods: [.nearby]) {
            $0.nearby.proof = .paired(at: $0.issued + 61)
        },
        Change(testDescription: "by a pairing before all history", methods: [.nearby]) {
            $0.nearby.proof = .paired(at: $0.issued - 301_800_000_000)
        },
        Change(testDescription: "by a pairing at no time", methods: [.nearby]) { $0.nearby.proof = .paired(at: .min) },
        authorization("about other parameters") { $0.authorization.parameters = AnswerDigest(of: []) },
        authorization("for another client") { $0.authorization.client = TestApps.phone.id },
        authorization("for another address of that client") {
            $0.authorization.redirectURI = "https://shop.example/done?shop=1"
        },
        authorization("for more scope") { $0.authorization.scope = Scope([.openid, .profile, .email]) },
        authorization("for less scope") { $0.authorization.scope = Scope([.openid]) },
        authorization("for another verifier") {
            $0.authorization.challenge = CodeChallenge(of: CodeVerifier(revealing: String(repeating: "x", count: 43)))
        },
        Change(testDescription: "for another way back", methods: [.activation], expected: .invalidGrant) {
            if let other = TestScreenHere.other { $0.finding = .activation(ActivationFinding(returningTo: other)) }
        },
    ].flatMap { change in change.methods.map { ($0, change) } }

    private static func authorization(
        _ description: String,
        _ apply: @escaping @Sendable (inout DecisionClaims) -> Void
    ) -> Change {
        Change(testDescription: description, methods: [.authorization], expected: .invalidGrant, apply: apply)
    }

    @Test(arguments: changes)
    func `is refused although its signature is right`(method: ApprovalMethod, change: Change) async throws {
        let found = try await server.found(method, by: try await server.approver(method))
        var claims = found.claims
        change.apply(&claims)
        let answer = try await found.send(claims)
        #expect(answer.status == .badRequest && answer.error == change.expected)
        #expect(try await found.recorded == nil)
        // The nonce is not lost by it.
        #expect(try await found.send().status == .ok)
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
        let found = try await server.found(method, by: try await server.approver(method), answering: answer)
        #expect(try await found.send().error == .invalidRequest)
        #expect(try await found.recorded == nil)
    }

    /// The claims that a decision has to have.
    static let names = ApprovalMethod.allCases.flatMap { method in
        let own =
            switch method {
            case .nearby: ["lnk", "how"]
            case .authorization: ["req", "client_id", "redirect_uri", "scope", "code_challenge"]
            case .activation: ["redirect_uri"]
            case .inbox: [String]()
            }
        return (["aud", "exc", "nonce", "dec", "shown", "iat", "jti", "method"] + own).map { (method, $0) }
    }

    @Test(arguments: names)
    func `is refused when a claim was changed, left out or of another kind`(
        method: ApprovalMethod,
        claim: String
    ) async throws {
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

    @Test(arguments: ApprovalMethod.allCases)
    func `is refused under the signature of another decision, and under none`(method: ApprovalMethod) async throws {
        let found = try await server.found(method, by: try await server.approver(method))
        var other = found.claims
        other.answer = .deny
        let honest = try found.approver.signed(found.claims).split(separator: ".")
        let denial = try found.approver.signed(other).split(separator: ".")
        for text in ["\(honest[0]).\(denial[1]).\(honest[2])", "\(honest[0]).\(honest[1])."] {
            let answer = try await found.send(text: text)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
        }
        #expect(try await found.recorded == nil)
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
        let found = try await server.found(method, by: try await server.approver(method))
        let key = String(decoding: try JSONEncoder.wire.encode(try found.approver.publicKey), as: UTF8.self)
        let payload = String(decoding: try JSONEncoder.wire.encode(found.claims), as: UTF8.self)
        let text = try found.approver.signed(header: header.replacing("KEY", with: key), payload: payload)
        #expect(try await found.send(text: text).error == .invalidRequest)
    }

    @Test(
        arguments: ApprovalMethod.allCases,
        ["", ".", "..", "a.b.c", "a.b", "a.b.c.d", String(repeating: "a", count: 20_000)])
    func `is refused when it is no JWS`(method: ApprovalMethod, text: String) async throws {
        let approver = try await server.approver(method)
        #expect(try await approver.send(text, on: TestApps.shop.request.form.encoded).error == .invalidRequest)
    }

    @Test(arguments: ApprovalMethod.allCases)
    func `is refused when somebody else signed it, or sends what another’s app was shown`(
        method: ApprovalMethod
    ) async throws {
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

    @Test(arguments: [
        (ApprovalMethod.nearby, DecisionClaims.Answer.approve), (.nearby, .deny), (.authorization, .approve),
        (.authorization, .remember), (.authorization, .deny), (.inbox, .approve), (.inbox, .deny), (.inbox, .report),
        (.activation, .approve), (.activation, .deny),
    ])
    func `is refused when it comes a second time, whatever was decided`(
        method: ApprovalMethod,
        answer: DecisionClaims.Answer
    ) async throws {
        let found = try await server.found(method, by: try await server.approver(method), answering: answer)
        #expect(try await found.send().status == .ok)
        let before = try await found.recorded?.signed
        var again = found.claims
        again.id = "another one"
        again.answer = answer.isApproval ? .deny : .approve
        for claims in [found.claims, again] { #expect(try await found.send(claims).error == .invalidGrant) }
        #expect(try await found.recorded?.signed == before && before != nil)
    }

    @Test(arguments: ApprovalMethod.allCases)
    func `is refused from a locked account, and after the request is over`(method: ApprovalMethod) async throws {
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

    @Test(
        .server(withApps: true) { $0.limits[.approverPerAccount] = Limit(3, in: 60) },
        arguments: ApprovalMethod.allCases)
    func `counts against the approver's limit`(method: ApprovalMethod) async throws {
        let approver = try await server.approver(method)
        // Registering a device counted as well.
        server.clock.advance(by: .seconds(60))
        // The look counts, too.
        let found = try await server.found(method, by: approver)
        #expect(try await found.send(text: "no decision").error == .invalidRequest)
        var wrong = found.claims
        wrong.nonce = DecisionNonce(revealing: "wrong")
        // Looks of an app that the system opened with an address are counted apart.
        let isOpened = [ApprovalMethod.authorization, .activation].contains(method)
        for _ in 0..<(isOpened ? 2 : 1) { #expect(try await found.send(wrong).error == .invalidGrant) }
        let limited = try await found.send()
        #expect(limited.status == .tooManyRequests && limited.headers[.retryAfter] != nil)
        server.clock.advance(by: .seconds(60))
        #expect(try await server.found(method, by: approver).send().status == .ok)
    }

    // MARK: About an app's request

    @Test func `about an app is refused without the request`() async throws {
        let phone = try await server.providersApp()
        let answer = try await phone.send(phone.claims(on: try await phone.looked(at: .shop)))
        #expect(answer.status == .badRequest && answer.error == .invalidRequest)
    }

    @Test func `about an app is refused for another request than the signed one`() async throws {
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

    @Test func `is refused with another key than the first, which is that for screens nearby, too`() async throws {
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

    @Test func `about an app is refused after five minutes`() async throws {
        let phone = try await server.providersApp()
        let looked = try await phone.looked(at: .shop)
        server.clock.advance(by: .seconds(300))
        #expect(try await phone.send(phone.claims(on: looked), on: looked.parameters).error == .invalidGrant)
    }

    @Test func `is refused with the nonce of a screen nearby, and that screen's with one of an app`() async throws {
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
