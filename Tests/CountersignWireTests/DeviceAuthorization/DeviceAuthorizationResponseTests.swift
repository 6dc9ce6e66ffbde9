import Countersign
import CountersignWire
import Testing

@Suite("A device authorization response")
struct DeviceAuthorizationResponseTests {
    @Test func `is that of RFC 8628`() throws {
        let response = try DeviceAuthorizationResponse(json: RFC8628.response)
        let expected = DeviceAuthorizationResponse(
            deviceCode: DeviceCode(revealing: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"),
            userCode: UserCodeText("WDJB-MJHT"),
            verificationURI: "https://example.com/device",
            verificationURIComplete: "https://example.com/device?user_code=WDJB-MJHT",
            expiresIn: 1_800,
            interval: 5
        )
        #expect(response == expected)
    }

    @Test func `is written with the names of the standard`() throws {
        let response = try DeviceAuthorizationResponse(json: RFC8628.response)
        let expected = """
            {"device_code":"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS","expires_in":1800,"interval":5,\
            "user_code":"WDJB-MJHT","verification_uri":"https://example.com/device",\
            "verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT"}
            """
        #expect(try response.json() == expected)
        #expect(try DeviceAuthorizationResponse(json: expected) == response)
    }

    @Test(arguments: [true, false])
    func `says whether the person of the hint is remembered`(isRemembered: Bool) throws {
        let json =
            #"{"countersign_remembered":\#(isRemembered),"device_code":"d","expires_in":9,"interval":5,"#
            + #""user_code":"WDJB-MJHT","verification_uri":"https://id.example/activate"}"#
        let response = try DeviceAuthorizationResponse(json: json)
        #expect(response.isRemembered == isRemembered)
        #expect(try response.json() == json)
        #expect(try DeviceAuthorizationResponse(json: RFC8628.response).isRemembered == nil)
    }

    // RFC 8628 §3.2: without an interval, 5 seconds.
    @Test(arguments: ["", #","interval":null"#])
    func `has an interval of five seconds when the server names none`(rest: String) throws {
        #expect(try response(#""verification_uri":"https://example.com""#, rest).interval == 5)
    }

    @Test(arguments: [("7", 7), ("\"7\"", 7), ("0", 0), ("7.5", 7)])
    func `has the interval that the server names`(json: String, interval: Int) throws {
        let response = try response(#""verification_uri":"https://example.com","interval":\#(json)"#)
        #expect(response.interval == interval)
    }

    @Test func `is read from servers that are older than the standard`() throws {
        #expect(try response(#""verification_url":"https://old.example""#).verificationURI == "https://old.example")
        let both = #""verification_url":"https://old.example","verification_uri":"https://new.example""#
        #expect(try response(both).verificationURI == "https://new.example")
    }

    @Test func `may lack the complete link`() throws {
        let response = try response(#""verification_uri":"https://example.com""#)
        #expect(response.verificationURIComplete == nil)
        #expect(try !response.json().contains("complete"))
    }

    @Test(arguments: [
        "", #""verification_uri":null"#, #""verification_uri":5"#,
        #""verification_uri":"https://example.com","verification_uri_complete":5"#,
        #""verification_uri":"https://example.com","interval":-1"#,
        #""verification_uri":"https://example.com","interval":"soon""#,
        #""verification_uri":"https://example.com","interval":1e300"#,
    ])
    func `is refused when it is not what the standard says`(members: String) {
        #expect(throws: DecodingError.self) { try response(members) }
    }

    @Test(arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
    func `is refused when a part is missing`(part: String) {
        let broken = RFC8628.response.replacing("\"\(part)\"", with: "\"other\"")
        #expect(throws: DecodingError.self) { try DeviceAuthorizationResponse(json: broken) }
    }

    @Test func `prints without the device code`() throws {
        let response = try DeviceAuthorizationResponse(json: RFC8628.response)
        #expect(!"\(response)".contains("GmRhmh"))
        #expect(!String(reflecting: response).contains("GmRhmh"))
    }

    private func response(_ members: String, _ rest: String = "") throws -> DeviceAuthorizationResponse {
        let comma = members.isEmpty ? "" : ","
        let json = #"{"device_code":"d","user_code":"u","expires_in":600\#(comma)\#(members)\#(rest)}"#
        return try DeviceAuthorizationResponse(json: json)
    }
}
