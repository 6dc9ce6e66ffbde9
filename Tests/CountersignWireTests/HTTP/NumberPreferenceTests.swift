import Countersign
import Testing

@testable import CountersignWire

/// Standard: RFC 7240 §2.
@Suite("What a screen says of the number that it shows")
struct NumberPreferenceTests {
    static let read: [([String], VerificationNumber?)] = [
        (["verification-number"], nil), (["wait=30, verification-number=42"], VerificationNumber("42")),
        (["wait=30", "Verification-Number=\"07\""], VerificationNumber("07")),
        (["verification-number=42;a=b, verification-number=43"], VerificationNumber("42")),
        (["verification-number="], nil), (["verification-number=4 2"], nil), (["verification-number=x"], nil),
        (["verification-number=4"], nil), (["verification-number=423"], nil), (["verification-number=４２"], nil),
    ]

    @Test(arguments: read)
    func `is read from the headers`(headers: [String], shown: VerificationNumber?) throws {
        #expect(try #require(NumberPreference(parsing: headers)).shown == shown)
    }

    @Test(arguments: [[], ["wait=30"], ["foo=\"verification-number\""], ["verification-numbers=42"]])
    func `is none without the preference`(headers: [String]) {
        #expect(NumberPreference(parsing: headers) == nil)
    }

    @Test(arguments: [nil, VerificationNumber("42")])
    func `is written as it is read`(shown: VerificationNumber?) {
        let preference = NumberPreference(shown: shown)
        #expect(NumberPreference(parsing: [preference.headerValue]) == preference)
    }

    @Test func `says the number in a pending answer, and nothing where there is none`() {
        let error = OAuthError(.authorizationPending, because: "")
        let with = OAuthErrorResponse(error, showing: VerificationNumber("42"))
        #expect(
            String(decoding: CompactJSON.bytes(of: with), as: UTF8.self)
                == #"{"error":"authorization_pending","verification_number":"42"}"#)
        #expect(
            String(decoding: CompactJSON.bytes(of: OAuthErrorResponse(error)), as: UTF8.self)
                == #"{"error":"authorization_pending"}"#)
    }
}
