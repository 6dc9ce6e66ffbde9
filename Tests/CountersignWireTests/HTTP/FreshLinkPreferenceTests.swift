import Countersign
import Testing

@testable import CountersignWire

/// Standard: RFC 7240 §2.
@Suite("What a screen says of links that change")
struct FreshLinkPreferenceTests {
    @Test(arguments: [["fresh-link"], ["wait=30, Fresh-Link"], ["wait=30", "verification-number, fresh-link"]])
    func `is read from the headers`(headers: [String]) {
        #expect(FreshLinkPreference.isStated(in: headers))
    }

    @Test(arguments: [[], ["wait=30"], ["foo=\"fresh-link\""], ["fresh-links"]])
    func `is not said without the preference`(headers: [String]) {
        #expect(!FreshLinkPreference.isStated(in: headers))
    }

    @Test(arguments: [("abc-_9", true), ("", false), ("a b", false), ("a&b", false), ("é", false)])
    func `is followed by marks of plain characters`(text: String, isMark: Bool) {
        #expect((LinkMark(parsing: text) != nil) == isMark)
        #expect(LinkMark(parsing: String(repeating: "a", count: 65)) == nil)
    }
}
