import CountersignWire
import Testing

/// Standard: Web Authentication Level 3 §5.8.1.
@Suite("Client data")
struct CollectedClientDataTests {
    private func read(_ json: String) throws -> CollectedClientData {
        try CollectedClientData(parsing: Array(json.utf8))
    }

    @Test func `is read with members that nobody knows yet`() throws {
        let data = try read(
            #"{"type":"webauthn.get","challenge":"AQ","origin":"https://a.example","crossOrigin":true,"#
                + #""topOrigin":"https://b.example","other_keys":{"a":[1,2]},"tokenBinding":{"status":"supported"}}"#)
        #expect(data.type == "webauthn.get" && data.challenge.revealed == "AQ" && data.origin == "https://a.example")
        #expect(data.isCrossOrigin && data.topOrigin == "https://b.example")
        let plain = try read(#"{"type":"webauthn.get","challenge":"AQ","origin":"https://a.example"}"#)
        #expect(!plain.isCrossOrigin && plain.topOrigin == nil)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"type":"webauthn.get","challenge":"AQ"}"#,
        #"{"type":1,"challenge":"AQ","origin":"a"}"#,
        #"{"type":"a","challenge":"AQ","origin":"a","origin":"b"}"#,
        #"{"type":"a","challenge":"AQ","origin":"a","x":1,"x":1}"#,
        #"{"type":"a","challenge":"AQ","origin":"a","crossOrigin":"true"}"#,
        #"{"type":null,"challenge":"AQ","origin":"a"}"#, #"{"type":"a","challenge":"AQ","origin":null}"#,
        #"{"type":"a","challenge":"AQ","origin":"a","topOrigin":null,"topOrigin":"b"}"#,
        #"{"type":"a","challenge":"AQ","origin":"a","topOrigin":1}"#,
        #"{"type":"a","challenge":"AQ","origin":"a"} "# + "x",
    ])
    func `is refused when it is not that of a browser`(json: String) {
        #expect(throws: PasskeyError(.malformed, because: "")) { _ = try read(json) }
    }

    @Test func `is read with null members as if they were left out`() throws {
        let data = try read(#"{"type":"a","challenge":"AQ","origin":"a","crossOrigin":null,"topOrigin":null}"#)
        #expect(!data.isCrossOrigin && data.topOrigin == nil)
    }

    @Test func `has an end`() {
        let long = #"{"type":"a","challenge":"AQ","origin":""# + String(repeating: "a", count: 9000) + #""}"#
        #expect(throws: PasskeyError(.malformed, because: "")) { _ = try read(long) }
    }
}
