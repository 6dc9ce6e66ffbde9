import Countersign
import Foundation
import Testing

@testable import CountersignWire

@Suite("Compact JSON")
struct CompactJSONTests {
    @Test(arguments: [
        "", "plain", "a/b", "\"\\", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \u{7F}", "Öst 📺 \u{2028}", "é",
    ])
    func `is what JSONEncoder writes`(text: String) throws {
        try expectSame(OAuthErrorResponse(OAuthError(.invalidGrant, text, because: "")))
        var active = IntrospectionResponse(active: true)
        active.scope = text
        active.clientID = ClientID(text)
        active.username = text
        active.tokenType = "Bearer"
        active.expires = 1_800_000_000
        active.issued = -1
        active.subject = text
        active.audience = Audience([text])
        active.issuer = "https://id.example"
        active.tokenID = text
        active.evidence = EvidenceClaim(Evidence([.codeTyped]))
        try expectSame(active)
        active.audience = Audience([text, "another"])
        try expectSame(active)
        var claims = IDTokenClaims(
            issuer: text, subject: Subject(text), audience: Audience([]), expires: 1, issued: 0)
        try expectSame(claims)
        claims.authenticated = 7
        claims.name = text
        claims.preferredUsername = text
        claims.email = text
        claims.isEmailVerified = true
        claims.methods = ["pwd", text]
        claims.evidence = EvidenceClaim(Evidence())
        claims.screen = RememberedScreenID(text)
        try expectSame(claims)
    }

    @Test func `leaves out what a message does not have`() throws {
        try expectSame(IntrospectionResponse.inactive)
        try expectSame(OAuthErrorResponse(OAuthError(.authorizationPending, because: "")))
        try expectSame(
            OAuthErrorResponse(
                OAuthError(.authorizationPending, because: ""), showing: VerificationNumber("42"),
                link: LinkMark("a-b_"))
        )
        try expectSame(TokenResponse(accessToken: AccessToken(revealing: "a"), expiresIn: nil))
        try expectSame(CompactJWS.Header(algorithm: "ES256"))
    }

    @Test func `carries tokens and codes`() throws {
        try expectSame(
            TokenResponse(
                accessToken: AccessToken(revealing: "access"),
                expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh"),
                scope: Scope(parsing: "openid profile"),
                idToken: UnverifiedIDToken(revealing: "id"),
                authorizationExpiresIn: 900
            )
        )
        try expectSame(
            DeviceAuthorizationResponse(
                deviceCode: DeviceCode(revealing: "device"),
                userCode: UserCodeText("WDJB-MJHT"),
                verificationURI: "https://id.example/activate",
                verificationURIComplete: "https://id.example/activate?user_code=WDJB-MJHT",
                expiresIn: 300,
                interval: 5
            )
        )
        var header = CompactJWS.Header(algorithm: "ES256", keyID: JSONWebKey.ID("key"), type: "at+jwt")
        header.critical = ["exp"]
        try expectSame(header)
    }

    private func expectSame(_ message: some CompactlyWritten) throws {
        #expect(try String(decoding: CompactJSON.bytes(of: message), as: UTF8.self) == message.json())
    }
}
