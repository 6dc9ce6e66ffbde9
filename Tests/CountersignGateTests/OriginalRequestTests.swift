import HTTPTypes
import Testing

@testable import CountersignGate

@Suite("The request as a proxy describes it")
struct OriginalRequestTests {
    private static func reason(in dialect: RequestDialect, _ fields: [(String, String)]) throws -> String? {
        let configuration = try GateUnderTest.configuration(#""original-request": "\#(dialect.rawValue)","#)
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let error = #expect(throws: OriginalRequest.RefusalError.self) {
            try OriginalRequest(headers, in: dialect, at: configuration)
        }
        return error?.reason
    }

    @Test(arguments: [
        (
            RequestDialect.forwarded, "X-Original-Method",
            "the proxy sends X-Original-*: set original-request to x-original"
        ),
        (.original, "X-Forwarded-Method", "the proxy sends X-Forwarded-*: set original-request to x-forwarded"),
        (.original, "X-Other-Method", "X-Original-Method is missing"),
    ])
    func `is refused with the setting for the proxy`(dialect: RequestDialect, name: String, reason: String) throws {
        #expect(try Self.reason(in: dialect, [(name, "GET")]) == reason)
    }

    @Test func `is refused with the name of an unknown host, which is bounded`() throws {
        func reason(_ host: String) throws -> String? {
            try Self.reason(
                in: .forwarded,
                [("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", host)])
        }
        #expect(try reason("a.example") == #""a.example" is no site of the gate"#)
        #expect(try reason("a\u{202E}b") == "\"a\u{FFFD}b\" is no site of the gate")
        let long = String(repeating: "a", count: 255)
        #expect(try reason(long + "a") == "\"\(long)\" is no site of the gate")
    }
}
