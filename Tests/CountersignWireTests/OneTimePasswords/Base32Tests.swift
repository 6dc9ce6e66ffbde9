import CountersignTesting
import Testing

@testable import CountersignWire

/// Standard: RFC 4648 §6, §10.
@Suite("Base32")
struct Base32Tests {
    @Test(arguments: RFC4648.base32)
    func `is written and read as in the standard`(bytes: String, text: String) {
        #expect(Base32.encode(Array(bytes.utf8)) == text)
        #expect(Base32.decode(text) == Array(bytes.utf8))
        #expect(Base32.encode(Array(bytes.utf8), padded: false) == text.filter { $0 != "=" })
    }

    @Test func `is read in any case, with spaces and without padding`() {
        for text in ["mzxw6ytboi", "MZXW 6YTB OI", "mzXw-6ytb-oi======", " MZXW6YTBOI===== ="] {
            #expect(Base32.decode(text) == Array("foobar".utf8), "\(text)")
        }
    }

    @Test(arguments: [
        "M", "MZX", "MZXW6Y", "MZ======", "MY=====", "MY=======", "MY====M=", "M1======", "MZXW8", "MZXÄ", "=", "MY\n",
        "MZXW6YTB========",
    ])
    func `is refused when it is none`(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test func `gives every bytes back`() {
        let random = SeededRandom(seed: 32)
        for length in 0..<200 {
            let bytes = random.bytes(length)
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
            #expect(Base32.decode(Base32.encode(bytes, padded: false).lowercased()) == bytes)
        }
    }
}
