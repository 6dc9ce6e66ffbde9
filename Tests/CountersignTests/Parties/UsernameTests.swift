import Countersign
import Testing

@Suite("The name of a person")
struct UsernameTests {
    @Test(arguments: [
        ("anna", "anna"), (" Anna\n", "anna"), ("Anna.Example+tv@id-1.example", "anna.example+tv@id-1.example"),
        ("ZOË", "zoë"), ("Zoe\u{308}", "zoë"), ("李", "李"), ("\u{212A}elvin", "kelvin"),
    ])
    func `is read in any case, in one form`(typed: String, name: String) {
        #expect(Username(parsing: typed)?.rawValue.utf8.elementsEqual(name.utf8) == true)
    }

    @Test(arguments: ["", " ", "two words", "a<b", "a\0", "\"", "a/b", "a\u{200B}b", String(repeating: "a", count: 65)])
    func `has letters, digits and a few signs, and an end`(typed: String) {
        #expect(Username(parsing: typed) == nil)
    }

    @Test func `has its length in the form in which it is kept`() {
        // Each of these is one letter of three bytes, and becomes three of six.
        let typed = String(repeating: "\u{FB2C}", count: 64)
        #expect(Username(parsing: typed) == nil)
    }
}
