import Countersign
import CountersignWire
import Testing

@Suite("A header with a bearer token")
struct BearerHeaderTests {
    @Test func `is that of RFC 6750`() {
        #expect(BearerHeader.token(in: RFC6750.header)?.revealed == RFC6750.token)
        #expect(BearerHeader.value(for: AccessToken(revealing: RFC6750.token)) == RFC6750.header)
    }

    @Test(arguments: ["abc", "a.b_c~d-e+f/g", "abc=", "abc==", "0"])
    func `holds any token of the standard's characters`(token: String) {
        #expect(BearerHeader.token(in: "Bearer \(token)")?.revealed == token)
    }

    @Test(arguments: ["bearer abc", "BEARER abc", "Bearer  abc", "Bearer abc ", " Bearer abc"])
    func `is read in any case, with spaces around the token`(header: String) {
        #expect(BearerHeader.token(in: header)?.revealed == "abc")
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic abc", "Bearerabc", "Bearer\tabc", "Bearer a b", "Bearer a\tb", "Bearer abc\r\n",
        "Bearer a\0b", "Bearer é", "Bearer a\u{7F}", "abc", "Token Bearer abc", "DPoP abc",
        "Bearer =", "Bearer a=b", "Bearer abc,def", "Bearer \"abc\"", "Bearer abc;", "Bearer \tabc",
        "Bearer token=\"abc\"",
    ])
    func `is refused in any other form`(header: String) {
        #expect(BearerHeader.token(in: header) == nil)
    }
}
