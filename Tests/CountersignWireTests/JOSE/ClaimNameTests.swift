import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("The name of a declared claim")
struct ClaimNameTests {
    @Test(arguments: ["roles", "grafana_role", "https://example.org/roles", "Quota", "department", "given_name"])
    func `may be any that nothing else gives`(name: String) throws {
        #expect(try ClaimName(parsing: name).rawValue == name)
    }

    /// Standard: RFC 7519 §4.1; OpenID Connect Core 1.0 §2, §5.1, §5.6.2.
    @Test(arguments: [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "cnf", "act", "may_act", "scope", "client_id", "azp", "nonce",
        "auth_time", "acr", "amr", "at_hash", "sid", "events", "active", "username", "token_type", "name", "email",
        "email_verified", "phone_number_verified", "preferred_username", "groups", "_claim_names", "_claim_sources",
        "address", "phone_number",
        "countersign_evidence", "countersign_anything", "urn:openid:params:jwt:claim:rt_hash", "SUB", "Scope",
        "Countersign_Screen",
    ])
    func `is none that a protocol reads or the server gives, in any case`(name: String) {
        #expect(throws: ClaimName.ParsingError.reserved) { try ClaimName(parsing: name) }
    }

    @Test(arguments: ["", "a b", "rôle", "a\"b", "a\nb", String(repeating: "a", count: 129)])
    func `has characters that every reader takes`(name: String) {
        #expect(throws: ClaimName.ParsingError.form) { try ClaimName(parsing: name) }
    }
}

@Suite("Additional claims")
struct AdditionalClaimsTests {
    private func claims(_ groups: Int) -> AdditionalClaims {
        var claims = AdditionalClaims()
        claims[.groups] = .texts((0..<groups).map { "group-\($0)" })
        claims[ClaimName("role")] = .text("Editor \"1\"")
        return claims
    }

    @Test func `stand beside the members of a message, and are read again`() throws {
        var person = UserInfo(subject: Subject("anna"))
        person.emailVerified = false
        person.updated = 1_800_000_000
        person.additional = claims(2)
        let json = #"""
            {"email_verified":false,"groups":["group-0","group-1"],"role":"Editor \"1\"","sub":"anna","updated_at":1800000000}
            """#
        #expect(try person.json() == json)
        #expect(try UserInfo(json: json) == person)
    }

    @Test func `of a hostile message take no member's place, and are skipped where they are of another kind`() throws {
        let json = #"{"sub":"anna","a":5,"b":[1],"c":{"d":["e"],"f":null},"name":"Anna"}"#
        let person = try UserInfo(json: json)
        #expect(person.additional.names.map(\.rawValue) == ["c"])
        #expect(person.name == "Anna" && person.additional[ClaimName("name")] == nil)
    }

    /// Standard: OpenID Connect Core 1.0 §5.6.2.
    @Test func `that are too long for a token are at the user info instead`() throws {
        #expect(claims(2).inToken(orAt: "https://id.example/userinfo") == claims(2))
        #expect(AdditionalClaims().inToken(orAt: "https://id.example/userinfo").isEmpty)
        let short = claims(1_000).inToken(orAt: "https://id.example/userinfo")
        let expected = #"""
            {"_claim_names":{"groups":"userinfo"},"_claim_sources":{"userinfo":{"endpoint":"https://id.example/userinfo"}},"role":"Editor \"1\""}
            """#
        #expect(String(decoding: CompactJSON.bytes(of: short), as: UTF8.self) == expected)
        #expect(try short.json() == expected)
        // A token that does not open the user info names it nowhere.
        #expect(claims(1_000).inToken(orAt: nil).names.map(\.rawValue) == ["role"])
    }

    @Test(arguments: [
        (#""email_verified":"true","updated_at":1.5"#, true as Bool?, 1 as Int?),
        (#""email_verified":"no","updated_at":"today""#, false, nil),
        (#""email_verified":1,"updated_at":1e300,"locale":5,"zoneinfo":{}"#, nil, nil),
    ])
    func `of another server may be written in other ways`(members: String, isVerified: Bool?, updated: Int?) throws {
        let person = try UserInfo(json: "{\"sub\":\"anna\",\(members)}")
        #expect(person.emailVerified == isVerified && person.updated == updated)
        #expect(person.locale == nil && person.zoneInfo == nil)
    }
}
