import Countersign
import Testing

/// Standard: RFC 5322 §3.4.1; RFC 5321 §4.5.3.1.
@Suite("An e-mail address")
struct EmailAddressTests {
    @Test(arguments: [
        "anna@example.org", "o'neil@example.org", "A.B+c@id-1.example", "!#$%&'*+-/=?^_`{|}~@example.org",
        "a@localhost",
        "zoë@bücher.example", "a.person.with.a.long.name@department-of-long-names.university.example.org",
        "\u{202A}anna@example.org\u{202C} ", "விஷ்ணு@example.org",
    ])
    func `is read`(text: String) {
        #expect(EmailAddress(parsing: text) != nil)
    }

    @Test(arguments: [
        "", "@", "anna", "a@@b", "a@b@c", "@example.org", "anna@", "anna@.org", "anna@example.", "anna@-a.org",
        "anna@a-.org", ".anna@a.org", "an..na@a.org", "anna.@a.org", "\"an na\"@a.org", "an na@a.org", "a,b@a.org",
        "anna@[192.0.2.1]", "anna@a_b.org", "a\u{0}@b.org", "anna@a.org\nBcc:", "a\u{200B}b@a.org",
    ])
    func `is refused when it is none`(text: String) {
        #expect(EmailAddress(parsing: text) == nil)
    }

    @Test func `has 254 bytes at most, and 64 before the sign`() {
        let host = String(repeating: "a.", count: 94) + "b"
        #expect(EmailAddress(parsing: String(repeating: "a", count: 64) + "@" + host)?.rawValue.utf8.count == 254)
        #expect(EmailAddress(parsing: String(repeating: "a", count: 64) + "@a" + host) == nil)
        #expect(EmailAddress(parsing: String(repeating: "a", count: 65) + "@example.org") == nil)
        #expect(EmailAddress(parsing: "a@" + String(repeating: "a", count: 64) + ".org") == nil)
    }
}
