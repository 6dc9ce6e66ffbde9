import Testing

@testable import CountersignGate

@Suite("A header field about a person")
struct PersonHeaderTests {
    @Test(arguments: [
        ("anna", "anna"), ("Anna Example", "Anna Example"), ("Änna", "%C3%84nna"), ("100%", "100%25"),
        (" a ", "%20a%20"),
        ("a\r\nRemote-User: root", "a%0D%0ARemote-User: root"), ("a\u{0}b", "a%00b"), ("", ""), ("家", "%E5%AE%B6"),
    ])
    func `has printable ASCII alone`(text: String, value: String) {
        #expect(PersonHeader.value(of: text) == value)
    }
}
