import Countersign
import CountersignWire
import Testing

@Suite("A signed token")
struct CompactJWSTests {
    @Test func `is taken apart as in RFC 7515, Appendix A.1`() throws {
        let token = try #require(CompactJWS(RFC7515.tokenOfA1))
        #expect(token.headerBytes == Array(RFC7515.headerOfA1.utf8))
        #expect(token.payload == Array(RFC7515.payload.utf8))
        #expect(token.signature.count == 32)
        #expect(token.signature.starts(with: RFC7515.signatureOfA1.first))
        #expect(token.signature.suffix(5) == RFC7515.signatureOfA1.last[...])
        #expect(try header(of: token) == CompactJWS.Header(algorithm: "HS256", type: "JWT"))
    }

    @Test func `is taken apart as in RFC 7515, Appendix A.3`() throws {
        let token = try #require(CompactJWS(RFC7515.tokenOfA3))
        #expect(token.headerBytes == Array(RFC7515.headerOfA3.utf8))
        #expect(token.payload == Array(RFC7515.payload.utf8))
        #expect(token.signature == RFC7515.signatureOfA3)
        #expect(try header(of: token) == CompactJWS.Header(algorithm: "ES256"))
    }

    @Test(arguments: [RFC7515.tokenOfA1, RFC7515.tokenOfA3])
    func `is signed over the text up to the second dot`(text: String) throws {
        let token = try #require(CompactJWS(text))
        let end = try #require(text.lastIndex(of: "."))
        #expect(token.signedBytes == Array(text[..<end].utf8))
    }

    @Test(arguments: [(RFC7515.headerOfA1, RFC7515.tokenOfA1), (RFC7515.headerOfA3, RFC7515.tokenOfA3)])
    func `is put together as in RFC 7515`(header: String, expected: String) throws {
        let example = try #require(CompactJWS(expected))
        let text = CompactJWS.text(header: Array(header.utf8), payload: Array(RFC7515.payload.utf8)) { signed in
            #expect(signed == example.signedBytes)
            return example.signature
        }
        #expect(text == expected)
    }

    @Test(arguments: [
        "", ".", "e30", "e30.e30", "e30.e30.AA.AA", "e30.e30.AA.", ".e30.e30.AA", "e30.e30.A", "e30.e30.AB",
        "e3A=.e30.AA", "e30.e30.AA==", "e30.e30.A A", " e30.e30.AA", "e30.e30.AA\n", "e3+.e30.AA",
        "e30.e/0.AA", "e30.e30.é", "e30。e30。AA", "e30.\u{301}e30.AA", "e30.e30.AA\0",
    ])
    func `has three parts of base64url`(text: String) {
        #expect(CompactJWS(text) == nil)
    }

    // RFC 7515 Appendix A.5: the signature of an unsecured token is empty. Whoever verifies it refuses.
    @Test func `may lack a signature, which verifies nothing`() throws {
        let token = try #require(CompactJWS("eyJhbGciOiJub25lIn0.e30."))
        #expect(token.signature.isEmpty)
        #expect(try header(of: token).algorithm == "none")
    }

    @Test func `says in its header what must be understood`() throws {
        let header = try CompactJWS.Header(json: #"{"alg":"ES256","kid":"k","crit":["exp"],"exp":1,"b64":false}"#)
        #expect(header.critical == ["exp"])
        #expect(header.keyID == JSONWebKey.ID("k"))
        #expect(try CompactJWS.Header(algorithm: "ES256", keyID: header.keyID).json() == #"{"alg":"ES256","kid":"k"}"#)
    }

    @Test(arguments: ["{}", "[]", "", #"{"alg":null}"#, #"{"alg":["ES256"]}"#, #"{"alg":"ES256","kid":5}"#])
    func `names its algorithm in its header`(json: String) {
        #expect(throws: DecodingError.self) { try CompactJWS.Header(json: json) }
    }

    @Test func `prints as redacted`() throws {
        let token = try #require(CompactJWS(RFC7515.tokenOfA3))
        var dumped = ""
        dump(token, to: &dumped)
        for printed in ["\(token)", String(reflecting: token), dumped] {
            #expect(printed.contains("redacted"))
            #expect(!printed.contains("209"))
        }
    }

    private func header(of token: CompactJWS) throws -> CompactJWS.Header {
        try CompactJWS.Header(json: String(decoding: token.headerBytes, as: UTF8.self))
    }
}
