import Countersign
import HTTPTypes
import Testing

@testable import CountersignWire

@Suite("What a request shows")
struct PresentedAuthorizationTests {
    private func presentation(_ values: String...) -> PresentedAuthorization {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .authorization, value: value)) }
        return PresentedAuthorization(fields)
    }

    @Test func `is nothing without the header`() {
        #expect(presentation() == .nothing)
    }

    @Test(arguments: ["Bearer abc", "bearer abc", "BEARER  abc"])
    func `is a token`(header: String) {
        #expect(presentation(header) == .token(AccessToken(revealing: "abc")))
    }

    @Test(arguments: ["DPoP abc", "dpop abc", "DPOP  abc"])
    func `is a token that is bound to a key`(header: String) {
        #expect(presentation(header) == .boundToken(AccessToken(revealing: "abc")))
    }

    @Test(arguments: [(8192, false), (8193, true)])
    func `is too long from some length on`(length: Int, isTooLong: Bool) {
        let text = String(repeating: "a", count: length)
        #expect(presentation("Bearer \(text)") == (isTooLong ? .tooLong : .token(AccessToken(revealing: text))))
    }

    @Test(arguments: ["Basic YTpi", "Basic", "DPoP2 abc", "Bearer2 abc", "CPA abc"])
    func `is another scheme`(header: String) {
        #expect(presentation(header) == .otherScheme)
    }

    @Test(arguments: [
        "", " ", "Bearer", "bearer ", "Bearer a b", "Bearer a,Bearer b", "DPoP", "DPoP a b", "\"Bearer\" abc",
        "Bearer é", "(x) y",
    ])
    func `is malformed`(header: String) {
        #expect(presentation(header) == .malformed)
    }

    @Test func `is malformed when it is shown twice`() {
        #expect(presentation("Bearer abc", "Bearer abc") == .malformed)
        #expect(presentation("Basic YTpi", "Bearer abc") == .malformed)
    }
}
