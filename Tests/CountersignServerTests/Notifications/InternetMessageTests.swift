import Countersign
import CountersignStorage
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

/// Standard: RFC 5322, RFC 2045 to 2047, RFC 3834.
@Suite("A mail as an Internet message")
struct InternetMessageTests {
    private static let made = Date(timeIntervalSince1970: 784_111_777)

    private func message(
        to name: String? = "Anna Ek", subject: String = "Hello", text: String = "Words\n",
        html: String = "<p>Words</p>", from sender: String? = "Radio Nord", language: String = "en"
    ) -> InternetMessage {
        InternetMessage(
            mail: Mail(
                id: Delivery.ID("delivery"), to: Mailbox(EmailAddress("anna@example.org"), name: name),
                Mail.Content(subject: subject, text: text, html: html, language: language), made: Self.made,
                expires: Self.made + 600),
            sender: Mailbox(EmailAddress("login@radio.example"), name: sender))
    }

    /// The lines of the head, unfolded.
    private func fields(_ message: InternetMessage) throws -> [String] {
        let head = try #require(message.text.components(separatedBy: "\n\n").first)
        return head.replacing("\n ", with: " ").components(separatedBy: "\n")
    }

    private func field(_ name: String, of message: InternetMessage) throws -> String {
        let found = try fields(message).filter { $0.hasPrefix("\(name): ") }
        #expect(found.count == 1, "\(name)")
        return String(try #require(found.first).dropFirst(name.count + 2))
    }

    /// The text of encoded words. Standard: RFC 2047 §2, §6.2.
    private func decoded(_ value: String) throws -> String {
        var bytes: [UInt8] = []
        for word in value.split(separator: " ") {
            #expect(word.utf8.count <= 75 && word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?="), "\(word)")
            let part = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
            // Each word is text of its own.
            #expect(String(validating: part, as: UTF8.self) != nil)
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a quoted-printable part. Standard: RFC 2045 §6.7.
    private func decodedPart(_ number: Int, of message: InternetMessage) throws -> String {
        let boundary = try #require(message.text.firstMatch(of: #/boundary="([^"]+)"/#)).1
        let part = message.text.components(separatedBy: "--\(boundary)")[number]
        let body = part.components(separatedBy: "\n\n").dropFirst().joined(separator: "\n\n").dropLast()
        var bytes: [UInt8] = []
        var rest = Array(body.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            let two = String(decoding: rest.prefix(2), as: UTF8.self)
            if rest.first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            } else {
                bytes.append(try #require(UInt8(two, radix: 16)))
                rest = rest.dropFirst(2)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `has the fields of the standard, and says that a program made it`() throws {
        let message = message(language: "de")
        #expect(
            try fields(message) == [
                "Date: Sun, 06 Nov 1994 08:49:37 +0000",
                "From: \"Radio Nord\" <login@radio.example>",
                "To: \"Anna Ek\" <anna@example.org>",
                "Subject: Hello",
                "Message-ID: <\(message.id)>",
                "Auto-Submitted: auto-generated",
                "Content-Language: de",
                "MIME-Version: 1.0",
                "Content-Type: multipart/alternative; boundary=\"=_\(message.id.prefix { $0 != "@" })\"",
            ])
        #expect(message.id.wholeMatch(of: #/[0-9a-f]{32}@radio\.example/#) != nil)
    }

    @Test func `is the same in every attempt`() {
        #expect(message().text == message().text)
    }

    @Test func `has the words as plain text, then as HTML`() throws {
        let message = message(text: "Grüße = 1\n\n.\nend", html: "<p>Grüße</p>")
        #expect(message.text.contains("Content-Type: text/plain; charset=utf-8\n"))
        #expect(try decodedPart(1, of: message) == "Grüße = 1\n\n.\nend")
        #expect(try decodedPart(2, of: message) == "<p>Grüße</p>")
        let (plain, html) = (message.text.firstRange(of: "text/plain"), message.text.firstRange(of: "text/html"))
        #expect(try #require(plain).lowerBound < #require(html).lowerBound)
        #expect(message.text.hasSuffix("--\n"))
    }

    @Test(arguments: [
        "Bestätigen Sie Ihre E-Mail-Adresse", String(repeating: "🦊", count: 60), "李", "mit =?UTF-8?B?eA==?= darin",
        String(repeating: "x", count: 300),
    ])
    func `encodes a subject that is not plain, without dividing a character`(subject: String) throws {
        let message = message(subject: subject)
        #expect(try decoded(field("Subject", of: message)) == subject)
        #expect(message.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: ["Zoë Ångström 李", "李", String(repeating: "é", count: 80)])
    func `encodes the name of a receiver`(name: String) throws {
        let value = try field("To", of: message(to: name))
        #expect(value.hasSuffix(" <anna@example.org>"))
        #expect(try decoded(String(value.dropLast(" <anna@example.org>".count))) == name)
    }

    @Test(arguments: [
        ("Anna \"Nan\" Ek, Jr.", "\"Anna \\\"Nan\\\" Ek, Jr.\" <anna@example.org>"),
        ("back\\slash", "\"back\\\\slash\" <anna@example.org>"), ("", "anna@example.org"),
        ("<evil@example.org>,", "\"<evil@example.org>,\" <anna@example.org>"),
    ])
    func `quotes a plain name`(name: String, value: String) throws {
        #expect(try field("To", of: message(to: name)) == value)
    }

    @Test(arguments: [
        "Anna\r\nBcc: evil@example.org", "Anna\nBcc: evil@example.org\n\nHello", "Anna\rBcc: evil@example.org",
        "Anna\u{2028}Bcc: evil@example.org", "Anna\u{85}Bcc: evil@example.org", "Änna\r\nBcc: evil@example.org",
    ])
    func `lets no line break of a name or subject begin a field or the body`(text: String) throws {
        for message in [message(to: text), message(subject: text), message(from: text)] {
            let names = try fields(message).map { String($0.prefix { $0 != ":" }) }
            #expect(
                names == [
                    "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "Content-Language", "MIME-Version",
                    "Content-Type",
                ])
            #expect(!message.text.contains("\r"))
        }
    }

    @Test func `has no line of more than 76 characters, whatever the words`() throws {
        let long = String(repeating: "Donaudampfschifffahrt ", count: 30) + String(repeating: "ä", count: 200)
        let text = [long, String(repeating: "a", count: 998), "space \t", "", "From me", ".", "..", "="]
            .joined(separator: "\n")
        let message = message(
            to: String(repeating: "Anna Maria ", count: 9), subject: long, text: text, html: text, from: long)
        for line in message.text.components(separatedBy: "\n") {
            #expect(line.utf8.count <= 76, "\(line)")
            #expect(line != "." && !line.hasSuffix(" ") && !line.hasSuffix("\t"), "\(line)")
        }
        #expect(try decodedPart(1, of: message) == text)
        #expect(try decodedPart(2, of: message) == text)
    }

    @Test func `folds a long plain subject between words`() throws {
        let subject = "A  subject of many words, " + String(repeating: "word ", count: 30) + "end"
        let message = message(subject: subject)
        #expect(try field("Subject", of: message) == subject)
        #expect(message.text.contains("\n word"))
    }
}
