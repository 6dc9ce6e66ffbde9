import Countersign
import Foundation
import Testing

@testable import CountersignWire

/// Standard: OpenID CIBA Core 1.0 §7.3, §10.2, §10.3.1, §12; the examples are those of the standard.
@Suite("The messages of the back channel")
struct BackchannelMessagesTests {
    private func read<Message: Decodable>(_ type: Message.Type, _ json: String) throws -> Message {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test func `acknowledge a request`() throws {
        let json = #"{"auth_req_id":"1c266114-a1be-4252-8ad1-04986c5b9ac1","expires_in":120,"interval":2}"#
        let read = try read(BackchannelAuthenticationResponse.self, json)
        let id = AuthenticationRequestID(revealing: "1c266114-a1be-4252-8ad1-04986c5b9ac1")
        #expect(read == BackchannelAuthenticationResponse(request: id, expiresIn: 120, interval: 2))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(read), as: UTF8.self) == json)
        let pushed = BackchannelAuthenticationResponse(request: id, expiresIn: 120, interval: nil)
        #expect(!String(decoding: try encoder.encode(pushed), as: UTF8.self).contains("interval"))
        #expect(!"\(id)".contains("1c266114"))
    }

    @Test func `are told apart by their members`() throws {
        let id = AuthenticationRequestID(revealing: "1c266114-a1be-4252-8ad1-04986c5b9ac1")
        let ping = #"{"auth_req_id":"1c266114-a1be-4252-8ad1-04986c5b9ac1"}"#
        #expect(try read(BackchannelNotification.self, ping) == .decided(id))
        let tokens = """
            {"auth_req_id":"1c266114-a1be-4252-8ad1-04986c5b9ac1","access_token":"G5kXH2wHvUra0sHlDy1iTkDJgsgUO1bN",\
            "token_type":"Bearer","refresh_token":"4bwc0ESC_IAhflf-ACC_vjD_ltc11ne-8gFPfA2Kx16","expires_in":120,\
            "id_token":"eyJ.eyJ.x"}
            """
        let expected = TokenResponse(
            accessToken: AccessToken(revealing: "G5kXH2wHvUra0sHlDy1iTkDJgsgUO1bN"),
            expiresIn: 120,
            refreshToken: RefreshToken(revealing: "4bwc0ESC_IAhflf-ACC_vjD_ltc11ne-8gFPfA2Kx16"),
            idToken: UnverifiedIDToken(revealing: "eyJ.eyJ.x")
        )
        #expect(try read(BackchannelNotification.self, tokens) == .tokens(expected, for: id))
        let error = """
            {"auth_req_id":"1c266114-a1be-4252-8ad1-04986c5b9ac1","error":"access_denied",\
            "error_description":"The end-user denied the request"}
            """
        guard case .refused(let refused, for: id) = try read(BackchannelNotification.self, error) else {
            Issue.record("another notification")
            return
        }
        #expect(refused.error == .accessDenied)
        for bad in [
            "{}", #"{"access_token":"a","token_type":"Bearer"}"#,
            #"{"auth_req_id":"a","access_token":"b","token_type":"Bearer","error":"access_denied"}"#,
        ] {
            #expect(throws: DecodingError.self) { try read(BackchannelNotification.self, bad) }
        }
        for notification in [
            BackchannelNotification.decided(id), .tokens(expected, for: id), .refused(refused, for: id),
        ] {
            let written = String(decoding: try JSONEncoder().encode(notification), as: UTF8.self)
            #expect(try read(BackchannelNotification.self, written) == notification)
        }
    }

    /// Standard: OpenID CIBA Core 1.0 §10.3.1; OpenID Connect Core 1.0, Appendix A.3.
    @Test(arguments: [
        ("G5kXH2wHvUra0sHlDy1iTkDJgsgUO1bN", "Wt0kVFXMacqvnHeyU0001w"),
        ("4bwc0ESC_IAhflf-ACC_vjD_ltc11ne-8gFPfA2Kx16", "sHahCuSpXCRg5mkDDvvr4w"),
        ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ"),
    ])
    func `name tokens by their digests`(token: String, digest: String) {
        #expect(TokenDigest(of: AccessToken(revealing: token)).rawValue == digest)
    }

    @Test func `name the request and the tokens in the ID token`() throws {
        var claims = IDTokenClaims(
            issuer: "https://server.example.com",
            subject: Subject("248289761001"),
            audience: Audience(["s6BhdRkqt3"]),
            expires: 1_537_820_086,
            issued: 1_537_819_803
        )
        claims.accessTokenDigest = TokenDigest("Wt0kVFXMacqvnHeyU0001w")
        claims.refreshTokenDigest = TokenDigest("sHahCuSpXCRg5mkDDvvr4w")
        claims.authenticationRequest = AuthenticationRequestIDClaim(AuthenticationRequestID(revealing: "1c266114"))
        let written = CompactJSON.bytes(of: claims)
        #expect(try JSONDecoder().decode(IDTokenClaims.self, from: Data(written)) == claims)
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.contains(#""urn:openid:params:jwt:claim:rt_hash":"sHahCuSpXCRg5mkDDvvr4w""#))
        #expect(text.contains(#""urn:openid:params:jwt:claim:auth_req_id":"1c266114""#))
        #expect(text.contains(#""at_hash":"Wt0kVFXMacqvnHeyU0001w""#))
    }
}
