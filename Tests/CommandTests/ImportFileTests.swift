import Foundation
import Testing

@testable import CountersignCommand

/// Standard: RFC 4180.
@Suite("A file of people to import")
struct ImportFileTests {
    @Test func `is CSV with quotes, commas, quotes in quotes and lines in quotes`() throws {
        let records = try read("username,name\r\nanna,\"Ek, \"\"Anna\"\"\r\nof Ed\"\r\n\r\nben,Ben\r\n")
        #expect(records.map(\.line) == [2, 5])
        #expect(try records[0].fields.get() == ["username": "anna", "name": "Ek, \"Anna\"\r\nof Ed"])
        #expect(try records[1].fields.get() == ["username": "ben", "name": "Ben"])
    }

    @Test(arguments: ["username\nanna", "username\nanna\n", "\u{FEFF}username\r\nanna\r\n", "\n\nusername\n\nanna\n\n"])
    func `has any ends of lines and a byte order mark`(text: String) throws {
        #expect(try read(text).map { try $0.fields.get() } == [["username": "anna"]])
    }

    @Test func `has empty fields for what is absent`() throws {
        let records = try read("username,name,email\nanna,,\nben,\"\",b@example.org\n")
        #expect(
            try records.map { try $0.fields.get() } == [
                ["username": "anna"], ["username": "ben", "email": "b@example.org"],
            ])
    }

    @Test(arguments: [
        ("anna,x,y", "fields"), ("anna", "fields"), ("an\"na,x", "quote"), ("\"anna\"x,y", "behind a closing quote"),
        ("an\u{0}na,x", "not UTF-8"), ("\"anna,x", "never closed"),
    ])
    func `has bad rows that are refused with their line`(row: String, reason: String) throws {
        let records = try read("username,name\nben,Ben\n\(row)\n")
        #expect(records.map(\.line) == [2, 3])
        guard case .failure(let error) = records[1].fields else {
            Issue.record("\(records[1])")
            return
        }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test func `goes on after a bad row`() throws {
        let records = try read("username,name\n\"a\"b,c\nben,Ben\n")
        #expect(records.map(\.line) == [2, 3])
        #expect(try records[1].fields.get()["username"] == "ben")
    }

    @Test func `has bytes that are not UTF-8 in one row only`() throws {
        var bytes = Data("username\n".utf8)
        bytes += [0xE4, 0x0A] + Data("ben\n".utf8)
        let records = try ImportFile(of: bytes, called: "It").records
        #expect(records.map { (try? $0.fields.get()) == nil } == [true, false])
    }

    @Test(arguments: [
        ("", "empty"), ("\n \n", "empty"), ("name\nx\n", "username is missing"),
        ("username,shoe\nx,y", "no column 'shoe'"),
        ("username,username\nx,y", "twice"), ("user\"name\nx", "Line 1"), ("Username\nx", "no column"),
    ])
    func `without its columns is refused`(text: String, reason: String) {
        let error = #expect(throws: CommandError.self) { try read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `of UTF-16 is refused`() {
        #expect(throws: CommandError.self) {
            _ = try ImportFile(of: Data([0xFF, 0xFE, 0x75, 0x00]), called: "It")
        }
    }

    @Test func `is lines of JSON`() throws {
        let records = try read(
            """
            {"username":"anna","email_verified":false,"email":null}

            {"username":"ben","password_hash":{"value":"x"}}\r
            """
        )
        #expect(records.map(\.line) == [1, 3])
        #expect(try records[0].fields.get() == ["username": "anna", "email_verified": "false"])
        #expect(try records[1].fields.get()["password_hash"] == #"{"value":"x"}"#)
    }

    @Test(arguments: [
        #"["anna"]"#, "x", #"{"username":"#, #"{"username":5}"#, #"{"username":["a"]}"#, #"{"username":{"a":"b"}}"#,
        #"{"username":"a","shoe":"b"}"#, #"{"username":true}"#, String(repeating: "[", count: 10_000),
    ])
    func `has bad lines of JSON that are refused`(line: String) throws {
        let records = try read("{\"username\":\"ben\"}\n\(line)\n{\"username\":\"cleo\"}")
        #expect(records.map(\.line) == [1, 2, 3])
        #expect(records.map { (try? $0.fields.get()) == nil } == [false, true, false])
    }

    private func read(_ text: String) throws -> [ImportRecord] {
        try ImportFile(of: Data(text.utf8), called: "The file").records
    }
}
