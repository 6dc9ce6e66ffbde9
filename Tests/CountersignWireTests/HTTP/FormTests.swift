import Countersign
import CountersignTesting
import Testing

@testable import CountersignWire

@Suite("A form")
struct FormTests {
    @Test(arguments: [
        ("a=1", "1"),
        ("a=1&b=2", "1"),
        ("b=2&a=1", "1"),
        ("a=one+two", "one two"),
        ("a=one%20two", "one two"),
        ("a=one%2Btwo", "one+two"),
        ("a=%e2%82%ac", "€"),
        ("a=\(RFC6749.encodedValue)", RFC6749.plainValue),
        ("%61=1", "1"),
        ("a=b=c", "b=c"),
        ("a==", "="),
        ("a=%26b%3D1", "&b=1"),
        ("&&a=1&&", "1"),
        ("a=~!'()", "~!'()"),
        ("a=%F0%9F%93%BB", "📻"),
        ("a=é", "é"),
        ("a=1;b=2", "1;b=2"),
        ("a=%25", "%"),
        ("a=%2500", "%00"),
    ])
    func `is read from its wire form`(wire: String, value: String) throws {
        #expect(try form(wire)["a"] == value)
    }

    @Test(arguments: [
        ("https://app.example/done", "https://app.example/done?a=1%262"),
        ("https://app.example/done?", "https://app.example/done?a=1%262"),
        ("https://app.example/done?b=2", "https://app.example/done?b=2&a=1%262"),
        ("https://app.example/done?b=2&", "https://app.example/done?b=2&a=1%262"),
        ("com.example.app:/done", "com.example.app:/done?a=1%262"),
    ])
    func `is added to the query of an address`(address: String, location: String) {
        let form: Form = ["a": "1&2"]
        #expect(form.location(at: address) == location)
    }

    // RFC 6749 §3.1: a parameter without a value is treated as if it were left out.
    @Test(arguments: ["", "a", "a=", "b=1", "=", "&", "&&&", "=1", "A=1", "a%20=1", "+a=1"])
    func `has no value for what was left out`(wire: String) throws {
        #expect(try form(wire)["a"] == nil)
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(wire).required("a") }
    }

    @Test(arguments: ["a=1&a=2", "a=1&a=1", "a=1&b=2&a=3", "a=1&%61=2", "a=&a=1", "a=1&a", "a&a", "=&="])
    func `names nothing twice`(wire: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(wire) }
    }

    // RFC 8693 §2.1, RFC 8707 §2.
    @Test func `may name a service twice`() throws {
        let form = try form("resource=one&audience=a&resource=two&audience=a")
        #expect(form.all("resource") == ["one", "two"])
        #expect(form["audience"] == "a")
        #expect(form.all("other").isEmpty)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%4z", "a=%+1", "a=%-1", "a=%0x", "%=1", "a=%%41", "a=%４１"])
    func `has no broken escapes`(wire: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(wire) }
    }

    @Test(arguments: [
        "a=%FF", "a=%80", "a=%E2%82", "a=%C3", "%FF=1",
        "a=%C0%80", "a=%C0%AF", "a=%E0%80%AF",  // longer than they need be
        "a=%ED%A0%80",  // half of a surrogate pair
        "a=%F4%90%80%80",  // beyond the last character
    ])
    func `is UTF-8`(wire: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(wire) }
    }

    @Test func `is UTF-8 in its raw bytes too`() {
        for bytes in [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(throws: OAuthError(.invalidRequest, because: "")) { try Form(parsing: Array("a=".utf8) + bytes) }
        }
    }

    @Test(arguments: ["a=%00", "a=1%00", "a%00=1", "a=\0"])
    func `holds no NUL`(wire: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(wire) }
    }

    @Test func `has 64 parameters at most, empty ones counted`() throws {
        let full = (1...64).map { "p\($0)=\($0)" }.joined(separator: "&")
        #expect(try form(full)["p64"] == "64")
        for more in ["&p65=1", "&p65="] {
            #expect(throws: OAuthError(.invalidRequest, because: "")) { try form(full + more) }
        }
    }

    @Test func `is written with what a URL can hold`() {
        var form = Form()
        form["a b"] = RFC6749.plainValue
        form["c"] = "AZaz09*-._~/?"
        #expect(form.encoded == "a+b=\(RFC6749.encodedValue)&c=AZaz09*-._%7E%2F%3F")
        #expect(Form().encoded.isEmpty)
    }

    @Test func `leaves out what is set to nothing`() {
        var form = Form()
        form["a"] = "1"
        form["b"] = "2"
        form["a"] = nil
        form["b"] = ""
        #expect(form["b"] == nil)
        #expect(form == Form())
    }

    @Test func `keeps one value for each name, the one set last`() {
        var form = Form()
        form["a"] = "1"
        form["b"] = "2"
        form["a"] = "3"
        #expect(form.encoded == "b=2&a=3")
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `comes back as it was sent, whatever it holds`(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        var form = Form()
        for _ in 0..<10 {
            let value = random.text(upTo: 40)
            form[random.text(upTo: 10)] = value
        }
        let wire = form.encoded
        #expect(wire.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(try self.form(wire) == form)
    }

    // Whatever arrives is read or refused; nothing else can happen.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `survives bytes that are no form`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let good = ["a", "b", "F", "0", "=", "=", "=", "&", "&", "+", "%61", "%C3%BF", "\u{FF}"]
        let pieces = good.map { Array($0.utf8) } + [[UInt8(ascii: "%")], [0], [0x80], [0xFF]]
        var read = 0
        for _ in 0..<400 {
            let count = Int.random(in: 0...10, using: &random)
            let bytes = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.flatMap(\.self)
            guard let form = try? Form(parsing: bytes) else { continue }
            if form != Form() { read += 1 }
            #expect((try? Form(parsing: Array(form.encoded.utf8))) == form)
        }
        #expect(read > 0)
    }

    @Test func `reads a scope`() throws {
        #expect(try form("scope=openid+profile").scope() == Scope([.openid, .profile]))
        #expect(try form("scope=").scope() == .none)
        #expect(try form("").scope() == .none)
        #expect(throws: OAuthError(.invalidScope, because: "")) { try form("scope=%22").scope() }
    }

    @Test func `prints none of its values, nor names that a stranger chose`() throws {
        let form = try form("client_secret=hush&hush=1")
        var dumped = ""
        dump(form, to: &dumped)
        for printed in ["\(form)", String(reflecting: form), dumped, "\(Optional(form) as Any)"] {
            #expect(!printed.contains("hush"))
        }
    }

    private func form(_ wire: String) throws -> Form {
        try Form(parsing: Array(wire.utf8))
    }
}
