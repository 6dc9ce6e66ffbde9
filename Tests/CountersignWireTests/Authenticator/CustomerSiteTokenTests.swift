import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

@Suite("The token of a site")
struct CustomerSiteTokenTests {
    private static let now = Date(timeIntervalSince1970: 1_506_432_925)
    private let secret = CustomerSiteSecret(revealing: "device-secret")
    private let body = Array(#"{"auth_status":"approved"}"#.utf8)

    /// Why a token is refused; `nil` when it is not.
    private func refusal(
        of text: String,
        by secret: CustomerSiteSecret? = nil,
        meeting demands: CustomerSiteToken.Demands = .init(),
        at now: Date = now
    ) -> CustomerSiteToken.VerificationError? {
        do throws(CustomerSiteToken.VerificationError) {
            try CustomerSiteToken(text).verify(by: secret ?? self.secret, meeting: demands, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `has the digest of a body that apps of the older kind made`() {
        #expect(
            CustomerSiteToken.digest(of: body, by: secret)
                == "fb80eeebf47b0863bf2b648928d8bfb6a5beced7492a1229163ccb7480eb85eb")
    }

    @Test func `is accepted for the request and the body for which it was made, and for no other`() {
        let text = CustomerSiteToken.text(by: secret, request: "r1", body: body, at: Self.now)
        #expect(refusal(of: text, meeting: .init(request: "r1", body: body)) == nil)
        #expect(refusal(of: text) == nil)
        #expect(refusal(of: text, meeting: .init(request: "r2", body: body)) == .request)
        let denied = Array(#"{"auth_status":"denied"}"#.utf8)
        #expect(refusal(of: text, meeting: .init(request: "r1", body: denied)) == .body)
        #expect(refusal(of: text, by: CustomerSiteSecret(revealing: "another")) == .signature)
        let plain = CustomerSiteToken.text(by: secret, at: Self.now)
        #expect(refusal(of: plain, meeting: .init(request: "r1")) == .request)
        #expect(refusal(of: plain, meeting: .init(body: body)) == .body)
    }

    @Test(arguments: [(-61, CustomerSiteToken.VerificationError.time), (-59, nil), (0, nil), (119, nil), (121, .time)])
    func `is valid for a minute, with a minute in which clocks may differ`(
        seconds: Int,
        refused: CustomerSiteToken.VerificationError?
    ) {
        let text = CustomerSiteToken.text(by: secret, at: Self.now)
        #expect(refusal(of: text, at: Self.now + Double(seconds)) == refused)
    }

    @Test func `lives no longer than the call allows`() {
        let text = CustomerSiteToken.text(by: secret, at: Self.now, lifetime: 3600)
        #expect(refusal(of: text) == .lifetime)
        #expect(refusal(of: text, meeting: .init(longestLife: 3600)) == nil)
        #expect(refusal(of: CustomerSiteToken.text(by: secret, at: Self.now, lifetime: 0)) == .lifetime)
    }

    /// Python's `time.time()` has fractions, and what is added to it may come out a hair larger.
    @Test(arguments: [
        (#"{"iat":1506432925.25,"nbf":1506432925.25,"exp":1506433045.2500001}"#, nil),
        (#"{"iat":1506432925.0,"nbf":1.506432925e9,"exp":1506432985}"#, nil),
        (#"{"iat":1506432925.5,"nbf":1506432925.5,"exp":1506433047.5}"#, CustomerSiteToken.VerificationError.lifetime),
        (#"{"iat":1506432925.5,"nbf":1506432925.5,"exp":1506432925.5}"#, .lifetime),
        (#"{"iat":1506432986.5,"nbf":1506432925,"exp":1506432990}"#, .time),
        (#"{"iat":-1e300,"nbf":-1e300,"exp":1e300}"#, .lifetime),
        (#"{"iat":"1506432925","nbf":1506432925,"exp":1506432985}"#, .malformed),
    ])
    func `may have fractions of a second in its times`(claims: String, refused: CustomerSiteToken.VerificationError?) {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        let text = CompactJWS.text(header: Array(#"{"alg":"HS256"}"#.utf8), payload: Array(claims.utf8)) {
            Array(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
        #expect(refusal(of: text) == refused, "\(claims)")
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"HS512","typ":"JWT"}"#, #"{"alg":"RS256"}"#, #"{"typ":"JWT"}"#, "[]",
        #"{"alg":"HS256","typ":"at+jwt"}"#, #"{"alg":"HS256","typ":"JWT","crit":["b64"],"b64":false}"#,
        #"{"alg":"HS256","crit":[]}"#,
    ])
    func `is of one algorithm and one type`(header: String) throws {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        let claims = Array(#"{"iat":1506432925,"nbf":1506432925,"exp":1506432985}"#.utf8)
        let text = CompactJWS.text(header: Array(header.utf8), payload: claims) {
            Array(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
        #expect(refusal(of: text) == .malformed)
        // As the older kind for Android writes it.
        let without = CompactJWS.text(header: Array(#"{"alg":"HS256"}"#.utf8), payload: claims) {
            Array(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
        #expect(refusal(of: without) == nil)
    }

    @Test(arguments: [
        "{}", "[]", #"{"iat":1506432925,"nbf":1506432925}"#, #"{"iat":"1","nbf":1,"exp":2}"#,
        #"{"iat":-9223372036854775808,"nbf":0,"exp":9223372036854775807}"#,
    ])
    func `needs its times`(claims: String) {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        let text = CompactJWS.text(header: Array(#"{"alg":"HS256"}"#.utf8), payload: Array(claims.utf8)) {
            Array(HMAC<SHA256>.authenticationCode(for: $0, using: key))
        }
        #expect(refusal(of: text) != nil)
    }

    @Test func `is refused with any byte changed`() {
        let text = CustomerSiteToken.text(by: secret, request: "r1", body: body, at: Self.now)
        for place in text.indices {
            var changed = text
            changed.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
            #expect(refusal(of: changed, meeting: .init(request: "r1", body: body)) != nil)
        }
    }
}
