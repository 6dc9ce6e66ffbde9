import Testing

@testable import CountersignWire

@Suite("Base64")
struct Base64Tests {
    // RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `is what RFC 4648 says`(bytes: String, text: String) {
        #expect(Base64.encode(Array(bytes.utf8)) == text)
        #expect(Base64.decode(text[...]) == Array(bytes.utf8))
    }

    @Test func `uses a plus and a slash`() {
        #expect(Base64.encode([3, 236, 255, 224, 193]) == "A+z/4ME=")
        #expect(Base64.decode("A+z/4ME=") == [3, 236, 255, 224, 193])
        #expect(Base64.decode("A-z_4ME=") == nil)
    }

    @Test(arguments: ["Zg", "Zm8"])
    func `is read without its padding too`(text: String) {
        #expect(Base64.decode(text[...]) != nil)
    }

    @Test(arguments: [
        "=", "==", "===", "====", "Zg=", "Zg===", "Zm8==", "Zm9v=", "Zm9v====", "Z", "Z===", "Zg==Zg==", "Z=g=", "Zh==",
        "Zm 8=", "Zm8=\n", "Zmé=", "Zm9v\u{301}",
    ])
    func `has padding that fits, if any, and nothing foreign`(text: String) {
        #expect(Base64.decode(text[...]) == nil)
    }
}
