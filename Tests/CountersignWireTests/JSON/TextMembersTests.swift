import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Standard: RFC 8259.
@Suite("An object of texts")
struct TextMembersTests {
    private func read(_ text: String) throws -> TextMembers { try TextMembers(parsing: Array(text.utf8)) }

    private func problem(_ text: String) -> TextMembers.MemberError? {
        do {
            _ = try TextMembers(parsing: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{}", [:]), (" {\t}\r\n", [:]), (#"{"a":"b"}"#, ["a": "b"]),
        (#" { "a" : "b" , "" : "" } "#, ["a": "b", "": ""]),
        (#"{"a":"\"\\\/\b\f\n\r\t"}"#, ["a": "\"\\/\u{8}\u{C}\n\r\t"]),
        (#"{"\u0061":"\u00e9\u20AC\uD83D\uDCFB"}"#, ["a": "é€📻"]), (#"{"a":"é€📻\u0000"}"#, ["a": "é€📻\0"]),
    ])
    func `is read to the letter`(text: String, members: [String: String]) throws {
        let read = try read(text)
        #expect(read.names == members.keys.sorted())
        for (name, value) in members { #expect(read[name] == value) }
        #expect(read["another"] == nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "{{", "{}}", "{}{}", "{} x", "x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":"b",}"#, #"{"a":"b"#,
        #"{"a":"b" "c":"d"}"#, #"{a:"b"}"#, "{'a':'b'}", #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\uD800"}"#,
        #"{"a":"\uD800\u0041"}"#, #"{"a":"\uDC00"}"#, #"{"a":"\u{41}"}"#, "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}",
        #"{"a":nul}"#, #"{"a":truee}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":+1}"#, #"{"a":NaN}"#, #"{"a":[1,]}"#,
        #"{"a":{"b"}}"#, "\u{FEFF}{}", "/**/{}", #"{"a":"b"} //"#, "[", "[1", #"["a" "b"]"#,
    ])
    func `is nothing else than JSON`(text: String) {
        #expect(problem(text) == .notJSON)
    }

    @Test(arguments: ["[]", "[{}]", "null", "true", "-0.5e+7", #""text""#, #" [ { "a" : [ null ] } ] "#])
    func `is nothing else than an object`(text: String) {
        #expect(problem(text) == .notAnObject)
    }

    @Test(arguments: ["1", "-1.5E10", "true", "false", "null", "[]", "{}", #"{"b":["c",{"d":1}]}"#])
    func `has no other values than texts`(value: String) {
        #expect(problem(#"{"a":\#(value)}"#) == .notAText("a"))
        #expect(problem(#"{"b":"","a":\#(value),"c":""}"#) == .notAText("a"))
        // A fault of the whole goes first.
        #expect(problem(#"{"a":\#(value)"#) == .notJSON)
    }

    @Test func `names nothing twice, however it is written`() {
        #expect(problem(#"{"a":"b","a":"b"}"#) == .repeated("a"))
        #expect(problem(#"{"a":"b","\u0061":"c"}"#) == .repeated("a"))
        #expect(problem(#"{"a":1,"a":"c"}"#) == .notAText("a") || problem(#"{"a":1,"a":"c"}"#) == .repeated("a"))
    }

    @Test func `is refused when it goes too deep, without going there`() {
        let depth = 1_000_000
        #expect(problem(String(repeating: "[", count: depth)) == .notJSON)
        #expect(problem(#"{"a":"# + String(repeating: "[", count: depth)) == .notJSON)
        #expect(problem(#"{"a":"# + String(repeating: #"{"a":"#, count: depth)) == .notJSON)
        let fine = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(problem(#"{"a":\#(fine)}"#) == .notAText("a"))
    }

    @Test(
        arguments: [
            [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x22, 0x22, 0x7D], [0x7B, 0x22, 0xC0, 0xAF, 0x22, 0x3A, 0x22, 0x22, 0x7D],
            [0x7B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x3A, 0x22, 0x22, 0x7D], [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0x00],
        ] as [[UInt8]])
    func `is text in UTF-8`(bytes: [UInt8]) {
        #expect(throws: TextMembers.MemberError.notJSON) { try TextMembers(parsing: bytes) }
    }

    @Test func `agrees with another reader on whatever is made up`() {
        let random = SeededRandom(seed: 46)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"b\"", "\\", "\\u0041", "1", "-", "e", ".", "null", "true",
            " ",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let text = (0..<random.next() % 12).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let other = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            guard let members = try? TextMembers(parsing: Array(text.utf8)) else { continue }
            read += 1
            #expect(
                other as? [String: String]
                    == Dictionary(uniqueKeysWithValues: members.names.map { ($0, members[$0] ?? "") }), "\(text)")
        }
        #expect(read > 0)
    }
}
