import Testing

@testable import CountersignWire

@Suite("A preference to wait")
struct WaitPreferenceTests {
    // The second and third are RFC 7240 §4.3 and §2.
    @Test(arguments: [
        (["wait=10"], 10),
        (["respond-async, wait=10"], 10),
        (["respond-async, wait=100", "handling=lenient"], 100),
        (["handling=lenient", "wait=7"], 7),
        (["wait=\"10\""], 10),
        (["WAIT=5"], 5),
        (["Wait=5"], 5),
        ([" wait = 5 "], 5),
        (["\twait=5\t"], 5),
        (["wait=5; a=b"], 5),
        (["wait=5;a=\"b, wait=9\""], 5),
        (["wait=007"], 7),
        (["wait=999999999"], 999_999_999),
        ([",,wait=5,,"], 5),
        (["wait=5, wait=9"], 5),
        (["wait=5", "wait=9"], 5),
        (["foo; wait=9, wait=5"], 5),
        (["foo=wait, wait=5"], 5),
    ])
    func `is read from the headers, the first one counting`(headers: [String], seconds: Int) {
        #expect(WaitPreference(parsing: headers)?.seconds == seconds)
    }

    @Test(arguments: [
        "foo=\"a, wait=9\", wait=5", "foo=\"a; b\"; c, wait=5", "foo=\"a \\\", wait=9\", wait=5", "foo=\"\", wait=5",
        "foo=\"\\\\\", wait=5",
    ])
    func `is not looked for inside quotes`(header: String) {
        #expect(WaitPreference(parsing: [header])?.seconds == 5)
    }

    @Test(arguments: [
        "", "wait", "wait=", "wait=\"\"", "wait=-1", "wait=+1", "wait=0", "wait=00", "wait=1.5", "wait=1e3",
        "wait=0x10", "wait=ten", "wait=1 0", "wait=10s", "wait=1000000000", "wait=99999999999999999999999", "wait=\"10",
        "wait=10\"", "wait='10'", "wait=١٠", "wait=１０", "wait:10", "await=10", "wait-10=1", "foo=\"wait=10\"",
        "foo=\"bar, wait=10", "=10", "=", "wait==10", "respond-async", "foo; wait=10",
    ])
    func `is none when it cannot be read`(header: String) {
        #expect(WaitPreference(parsing: [header]) == nil)
    }

    // RFC 7240 §2: of a preference given several times, only the first counts.
    @Test(arguments: [["wait=x, wait=10"], ["wait=-1", "wait=10"], ["wait, wait=10"], ["wait=0, wait=10"]])
    func `is none when the first cannot be read`(headers: [String]) {
        #expect(WaitPreference(parsing: headers) == nil)
    }

    @Test func `is none without a header`() {
        #expect(WaitPreference(parsing: []) == nil)
    }

    @Test(arguments: [0, -1, Int.min])
    func `is longer than nothing`(seconds: Int) {
        #expect(WaitPreference(seconds: seconds) == nil)
    }

    @Test func `is written as it is read`() throws {
        let wait = try #require(WaitPreference(seconds: 30))
        #expect(wait.headerValue == "wait=30")
        #expect(WaitPreference(parsing: [wait.headerValue]) == wait)
    }
}
