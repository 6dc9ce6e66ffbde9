import Countersign
import Crypto
import Testing

@testable import CountersignWire

/// Standard: RFC 8188.
@Suite("An encrypted content")
struct EncryptedContentTests {
    /// Standard: RFC 8188 §3.1.
    private static let key = "yqdlZ-tYemfogSmv7Ws5PQ"
    private static let salt = "I1BsxtFttlv3u_Oo94xnmw"
    private static let walrus = "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(URLSafeText.decode(text)) }
    private func key(_ text: String = key) throws -> SymmetricKey { SymmetricKey(data: try bytes(text)) }

    @Test func `is that of the standard's example, both ways`() throws {
        let sealed = try EncryptedContent(
            sealing: Array("I am the walrus".utf8), salt: try bytes(Self.salt), recordSize: 4096, keyID: [],
            by: try key())
        #expect(URLSafeText.encode(sealed.bytes) == Self.walrus)
        let read = try #require(EncryptedContent(parsing: try bytes(Self.walrus)))
        #expect(read == sealed && read.recordSize == 4096 && read.keyID == [])
        #expect(read.opened(by: try key()) == Array("I am the walrus".utf8))
    }

    @Test(arguments: [0, 1, 100])
    func `loses its padding when it is opened`(padding: Int) throws {
        for plaintext in [[], [0], [1, 2, 0, 0], Array("words".utf8)] as [[UInt8]] {
            let sealed = try EncryptedContent(
                sealing: plaintext, padding: padding, salt: try bytes(Self.salt), recordSize: 4096, keyID: [7, 8],
                by: try key())
            #expect(sealed.record.count == plaintext.count + 1 + padding + 16)
            let read = try #require(EncryptedContent(parsing: sealed.bytes))
            #expect(read.keyID == [7, 8])
            #expect(read.opened(by: try key()) == plaintext)
        }
    }

    @Test func `is not opened by another key, or when a byte of it was changed`() throws {
        let good = try bytes(Self.walrus)
        let other = try key("AAAAAAAAAAAAAAAAAAAAAA")
        #expect(try #require(EncryptedContent(parsing: good)).opened(by: other) == nil)
        for place in good.indices where !(16..<20).contains(place) {
            var changed = good
            changed[place] ^= 1
            #expect(EncryptedContent(parsing: changed)?.opened(by: try key()) == nil, "\(place)")
        }
    }

    @Test func `is none where its bytes end early, or where it has a second record`() throws {
        let good = try bytes(Self.walrus)
        for count in 0..<38 { #expect(EncryptedContent(parsing: Array(good.prefix(count))) == nil, "\(count)") }
        // The record is longer than its size, or the size allows no record.
        for size in [31, 18, 17, 0] as [UInt8] {
            var changed = good
            changed.replaceSubrange(16..<20, with: [0, 0, 0, size])
            #expect(EncryptedContent(parsing: changed) == nil, "\(size)")
        }
        var longest = good
        longest.replaceSubrange(16..<20, with: [255, 255, 255, 255])
        #expect(EncryptedContent(parsing: longest)?.recordSize == .max)
        // The identifier of the key would reach beyond the end.
        var named = good
        named[20] = 255
        #expect(EncryptedContent(parsing: named) == nil)
    }
}
