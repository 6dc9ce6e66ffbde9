import CountersignTesting
import Testing

@testable import CountersignHTTP

/// Standard: W3C Trace Context, level 1.
@Suite("The place of a span in a trace")
struct TraceContextTests {
    /// The example of §3.2.4.
    private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test func `is read and written as the standard has it`() {
        let context = TraceContext(parsing: Self.example)
        #expect(context == TraceContext(traceID: Self.trace, spanID: Self.span, isSampled: true))
        #expect(context?.parent == Self.example)
        #expect(context?.child("00f067aa0ba902b8").parent == "00-\(Self.trace)-00f067aa0ba902b8-01")
    }

    @Test(arguments: [
        ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-02", false), ("00-\(trace)-\(span)-ff", true),
        // A later version may have more behind a dash.
        ("01-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-what-the-future-brings", true),
    ])
    func `says whether it is recorded`(text: String, isSampled: Bool) {
        #expect(TraceContext(parsing: text)?.isSampled == isSampled)
    }

    @Test(arguments: [
        "", "-", "00", "00-", "00--", "---", example + "-", example + " ", " " + example, String(example.dropLast()),
        "ff-\(trace)-\(span)-01", "0g-\(trace)-\(span)-01", "00-\(trace.uppercased())-\(span)-01",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01", "00-\(trace)-\(span)-0x",
        "00-\(trace)_\(span)-01", "\(example), \(example)", "00-\(trace)-\(span)-01-more",
        "01-\(trace)-\(span)-01.more",
        "00-４bf92f3577b34da6a3ce929d0e0e4736-\(span)-01", "\u{0}\u{0}", "é-\(example)",
        String(repeating: "é", count: 55), String(repeating: "0", count: 55), String(repeating: "0", count: 1 << 16),
    ])
    func `begins anew after what is no such place`(text: String) {
        #expect(TraceContext(parsing: text) == nil)
    }

    @Test func `begins anew after anything that comes by chance`() {
        let random = SeededRandom(seed: 42)
        let letters = Array("0123456789abcdefg--\u{0}é".utf8)
        for _ in 0..<20_000 {
            let bytes = random.bytes(50 + Int(random.next() % 12)).map { letters[Int($0) % letters.count] }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let context = TraceContext(parsing: text, state: text) else { continue }
            #expect(TraceContext(parsing: context.parent) != nil)
        }
    }

    @Test(arguments: [
        "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=b", "a=b,,c=d", "tenant@system=1 2 , x=y=z",
        (1...32).map { "k\($0)=v" }.joined(separator: ","),
    ])
    func `passes on what others added`(state: String) {
        #expect(TraceContext(parsing: Self.example, state: state)?.state == state)
    }

    @Test(arguments: [
        "", ",", "a", "a=", "=b", "a=b\r\nSet-Cookie: c=d", "a=\u{0}", "a=é", "a=b,c",
        (1...33).map { "k\($0)=v" }.joined(separator: ","), "a=" + String(repeating: "b", count: 511),
    ])
    func `leaves out what is malformed or too long`(state: String) throws {
        let context = try #require(TraceContext(parsing: Self.example, state: state))
        #expect(context.state == nil)
    }
}
