import CountersignWire
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    // The first is RFC 9110 §10.2.3.
    @Test(arguments: [
        ("120", 120), ("0", 0), ("007", 7), (" 5 ", 5), ("\t5", 5), ("999999999", 999_999_999),
    ])
    func `is read in seconds`(value: String, seconds: Int) {
        #expect(RetryAfter(parsing: value)?.seconds == seconds)
    }

    @Test(arguments: [
        "Fri, 31 Dec 1999 23:59:59 GMT", "", " ", "-1", "+1", "1.5", "1e3", "0x10", "ten", "1 0", "120s", "120, 5",
        "1000000000", "99999999999999999999999", "١٢", "１２",
    ])
    func `is not read in any other form`(value: String) {
        #expect(RetryAfter(parsing: value) == nil)
    }

    @Test func `is never below zero`() {
        #expect(RetryAfter(seconds: -5).seconds == 0)
        #expect(RetryAfter(seconds: 5).seconds == 5)
    }
}
