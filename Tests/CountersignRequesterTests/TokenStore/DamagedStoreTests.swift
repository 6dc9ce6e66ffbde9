import Countersign
import CountersignRequester
import Foundation
import Testing

@Suite("A sealed file store that cannot be opened")
struct DamagedStoreTests {
    let place = StoreDirectory()

    @Test func `says so whatever byte was changed, and leaves the file as it is`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        let sealed = try place.bytes("default.sealed")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x01
            // Bytes 8 to 23 say which key it was.
            try await refuses(changed, as: (8..<24).contains(index) ? .wrongKey : .damaged)
        }
    }

    @Test func `says so wherever the file was cut, or when it is longer`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        let sealed = try place.bytes("default.sealed")
        for length in sealed.indices { try await refuses(Array(sealed[..<length]), as: .damaged) }
        try await refuses(sealed + [0], as: .damaged)
        try await refuses(Array(repeating: 0, count: 5 << 20), as: .damaged)
    }

    @Test func `says when the key is another one`() async throws {
        try await place.store().save(.item("one"), for: .example)
        let elsewhere = StoreDirectory()
        try await elsewhere.store().save(.item("two"), for: .example)
        try place.write(try elsewhere.bytes("key"), to: "key")
        try await refuses(try place.bytes("default.sealed"), as: .wrongKey)
    }

    @Test func `says when the key is gone, and makes no other`() async throws {
        try await place.store().save(.item("one"), for: .example)
        let key = try place.bytes("key")
        try place.remove("key")
        try await refuses(try place.bytes("default.sealed"), as: .keyMissing)
        // Another group of the same directory has the same key.
        await #expect(throws: TokenStoreError(.keyMissing, because: "")) {
            try await place.store(TokenGroup("tv")).save(.item("two"), for: .example)
        }
        #expect(try place.files == ["default.sealed"])

        try place.write(key, to: "key")
        #expect(try await place.store().load(.example) == .item("one"))
    }

    @Test(arguments: ["", "secret", "countersign-sealing-key-1 c2hvcnQ\n", "countersign-sealing-key-1 !\n"])
    func `says when the file of the key holds none`(text: String) async throws {
        try await place.store().save(.item("one"), for: .example)
        try place.write(.item(text), to: "key")
        try await refuses(try place.bytes("default.sealed"), as: .keyUnfit)
    }

    @Test(arguments: [0o640, 0o604, 0o620])
    func `takes no key that is open to others`(mode: Int) async throws {
        try await place.store().save(.item("one"), for: .example)
        try place.setMode(mode, of: "key")
        try await refuses(try place.bytes("default.sealed"), as: .keyUnfit)
        try place.setMode(0o400, of: "key")
        #expect(try await place.store().load(.example) == .item("one"))
    }

    @Test func `says in a sentence what to do`() {
        for code in TokenStoreError.Code.allCases {
            let sentence = TokenStoreError(code, because: "details").sentence
            #expect(sentence.hasSuffix("."))
            #expect(!sentence.contains("details"))
        }
    }

    /// Neither reads nor changes anything while the file of the standard group has these bytes.
    private func refuses(_ bytes: [UInt8], as code: TokenStoreError.Code) async throws {
        try place.write(bytes, to: "default.sealed")
        let error = TokenStoreError(code, because: "")
        let store = place.store()
        await #expect(throws: error) { try await store.load(.example) }
        await #expect(throws: error) { try await store.keys() }
        await #expect(throws: error) { try await store.save(.item("two"), for: .service) }
        await #expect(throws: error) { try await store.remove(.example) }
        #expect(try place.bytes("default.sealed") == bytes)
    }
}
