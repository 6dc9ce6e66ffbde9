import Testing

@testable import CountersignWire

@Suite("The members of an object that is read often")
struct JSONMembersTests {
    private func members(_ json: String) throws -> JSONMembers { try #require(JSONMembers(Array(json.utf8))) }

    @Test func `are read by their kind, whatever stands around them`() throws {
        let members = try members(
            #" { "text" : "a\u00e9\n\"" , "plain":"é", "number":12, "list":["a","b"], "yes":true, "no":"false", "null":null } "#
        )
        #expect(try members.text("text") == "aé\n\"")
        #expect(try members.text("plain") == "é")
        #expect(try members.number("number") == 12)
        #expect(try members.texts("list", orOne: false) == ["a", "b"])
        #expect(try members.texts("plain", orOne: true) == ["é"])
        #expect(try members.truth("yes") == true)
        #expect(try members.truth("no") == false)
        #expect(try members.text("null") == nil)
        #expect(try members.text("missing") == nil)
    }

    @Test(arguments: [("1800000000.75", 1_800_000_000), ("1.8e9", 1_800_000_000), ("-1.5", -2), ("0", 0)])
    func `are rounded down where a number has a fraction`(json: String, number: Int) throws {
        #expect(try members("{\"n\":\(json)}").number("n") == number)
    }

    @Test(arguments: [("1800000000.75", 1_800_000_000.75), ("12", 12), ("-1.5", -1.5), ("1.8e9", 1.8e9)])
    func `are read with their fraction where one is wanted`(json: String, number: Double) throws {
        #expect(try members("{\"n\":\(json)}").real("n") == number)
        #expect(try members("{\"n\":null}").real("n") == nil)
    }

    @Test(arguments: ["1e400", "\"1\"", "true", "[]", "{}"])
    func `are refused with a fraction when they are none`(json: String) throws {
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "n")) { try members("{\"n\":\(json)}").real("n") }
    }

    @Test(arguments: ["1e400", "1e300", "\"1\"", "true", "[]", "{}"])
    func `are refused as numbers when they are none that fits`(json: String) throws {
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "n")) { try members("{\"n\":\(json)}").number("n") }
    }

    @Test func `are refused when they are of another kind, or there twice`() throws {
        let members = try members(#"{"n":1,"t":"a","t":"a","l":["a",1],"m":{}}"#)
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "n")) { try members.text("n") }
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "t")) { try members.text("t") }
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "l")) { try members.texts("l", orOne: true) }
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "m")) { try members.texts("m", orOne: true) }
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "n")) { try members.truth("n") }
    }

    @Test(arguments: [
        "", "[]", "1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}", "{}{}", "{\"a\":01}",
    ])
    func `are not there in bytes that are no object`(json: String) {
        #expect(JSONMembers(Array(json.utf8)) == nil)
    }

    /// Texts are read eight bytes at a time.
    @Test func `have texts of every length, with every kind of byte at every place`() throws {
        for length in 0...24 {
            for place in 0...length {
                let (front, back) = (
                    String(repeating: "x", count: place), String(repeating: "y", count: length - place)
                )
                for (written, read) in [
                    ("", ""), (#"\""#, "\""), (#"\\"#, "\\"), ("é", "é"), ("\u{7F}", "\u{7F}"), ("😀", "😀"),
                ] {
                    let json = #"{"\#(front)\#(written)\#(back)":"\#(front)\#(written)\#(back)"}"#
                    #expect(try members(json).text(front + read + back) == front + read + back)
                }
                for wrong in [[0x00], [0x1F], [0xFF], [0xC3, 0x28]] as [[UInt8]] {
                    let bytes = Array(#"{"a":"\#(front)"#.utf8) + wrong + Array(#"\#(back)"}"#.utf8)
                    #expect(JSONMembers(bytes) == nil)
                }
            }
        }
    }

    /// Uses more names than there are bits in the first step of a look-up.
    @Test func `are found among many, once, twice or not at all`() throws {
        let names = (0..<400).map { "name\($0)" }
        let json = "{\(names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")),\"name7\":0}"
        let members = try members(json)
        for (number, name) in names.enumerated() where number != 7 { #expect(try members.number(name) == number) }
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "name7")) { try members.number("name7") }
        for number in 400..<800 { #expect(try members.number("name\(number)") == nil) }
        // A name that is written with escapes is the same name.
        let escaped = try self.members(#"{"\u0061":1,"b":2,"c":3,"\u0063":4}"#)
        #expect(try escaped.number("a") == 1 && escaped.number("b") == 2)
        #expect(throws: JSONMembers.UnexpectedMemberError(name: "c")) { try escaped.number("c") }
    }

    @Test func `are not there in text that is not UTF-8`() {
        #expect(JSONMembers([0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xC3, 0x22, 0x7D]) == nil)
    }
}
