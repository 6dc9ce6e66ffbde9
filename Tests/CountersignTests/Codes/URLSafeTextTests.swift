import CountersignTesting
import Testing

@testable import Countersign

@Suite("URL-safe text")
struct URLSafeTextTests {
    @Test(arguments: RFC4648.section10)
    func `is what RFC 4648 says`(bytes: String, text: String) {
        #expect(URLSafeText.encode(Array(bytes.utf8)) == text)
        #expect(URLSafeText.decode(text) == Array(bytes.utf8))
    }

    @Test func `uses a dash and an underscore`() {
        #expect(URLSafeText.encode(RFC4648.bytesOfAppendixC) == RFC4648.textOfAppendixC)
        #expect(URLSafeText.decode(RFC4648.textOfAppendixC) == RFC4648.bytesOfAppendixC)
    }

    @Test(arguments: 0...64)
    func `comes back as the same bytes`(length: Int) {
        let random = SeededRandom(seed: UInt64(length))
        for _ in 0..<20 {
            let bytes = random.bytes(length)
            let text = URLSafeText.encode(bytes)
            #expect(text.utf8.count == (length * 4 + 2) / 3)
            #expect(URLSafeText.decode(text) == bytes)
        }
    }

    @Test(arguments: ["Zg==", "Zm8=", "=", "Zg=", "Zm9v="])
    func `has no padding`(text: String) {
        #expect(URLSafeText.decode(text) == nil)
    }

    @Test(arguments: [
        "Zm+v", "Zm/v", "Zm9 v", " Zm9v", "Zm9v\n", "Zm.v", "Zm9v\0", "Zm9é", "Ｚm9v", "Zm\u{301}9v", "Zm9v\u{200B}",
    ])
    func `has no character outside its alphabet`(text: String) {
        #expect(URLSafeText.decode(text) == nil)
    }

    @Test(arguments: ["A", "Zm9vY", "Zm9vYmFyZ"])
    func `has no length that whole bytes cannot have`(text: String) {
        #expect(URLSafeText.decode(text) == nil)
    }

    // RFC 4648 §3.5: otherwise one secret would have several spellings.
    @Test(arguments: ["Zh", "Zi", "Z_", "Zm9", "Zm-", "Zm9vYh"])
    func `leaves no bits over that are not zero`(text: String) {
        #expect(URLSafeText.decode(text) == nil)
    }

    @Test func `has one spelling for each value`() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var readable = 0
        for first in alphabet {
            for second in alphabet {
                guard let bytes = URLSafeText.decode(String([first, second])) else { continue }
                readable += 1
                #expect(URLSafeText.encode(bytes) == String([first, second]))
            }
        }
        #expect(readable == 256)
    }
}
