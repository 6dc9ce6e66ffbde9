import Countersign
import CountersignRequester
import Foundation
import Testing

@Suite("A sealed file store for tokens")
struct SealedFileTokenStoreTests {
    let place = StoreDirectory()

    @Test func `gives back what it was given, also after a restart`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        try await store.save(.item(""), for: .service)
        #expect(try await store.load(.example) == .item("one"))
        try await store.save(.item("two"), for: .example)

        let another = place.store()
        #expect(try await another.load(.example) == .item("two"))
        #expect(try await another.load(.service) == .item(""))
        #expect(try await another.keys() == [.service, .example])
    }

    @Test func `has nothing before it was given anything, and after it forgot`() async throws {
        let store = place.store()
        #expect(try await store.load(.example) == nil)
        #expect(try await store.keys().isEmpty)
        // Looking alone makes nothing.
        #expect(!FileManager.default.fileExists(atPath: place.directory))
        try await store.remove(.example)
        try await store.save(.item("one"), for: .example)
        try await store.remove(.example)
        #expect(try await store.load(.example) == nil)
        #expect(try await place.store().keys().isEmpty)
    }

    @Test func `has its key before something has to be saved`() async throws {
        let store = place.store()
        try await store.prepareToSave()
        #expect(try place.files == ["key"])
        #expect(try await store.keys().isEmpty)
    }

    @Test func `says at once when the place of its key cannot be used`() async throws {
        let error = TokenStoreError(.keyringUnavailable, because: "")
        let store = place.store(sealedBy: LockedKeyring(finds: false))
        await #expect(throws: error) { try await store.load(.example) }
        await #expect(throws: error) { try await store.keys() }
        await #expect(throws: error) { try await store.prepareToSave() }
        // One that has no key yet, and takes none.
        let other = place.store(sealedBy: LockedKeyring(finds: true))
        #expect(try await other.keys().isEmpty)
        await #expect(throws: error) { try await other.prepareToSave() }
        #expect(try place.files.isEmpty)
    }

    @Test func `keeps nothing in the clear, and nothing for others to read`() async throws {
        try await place.store().save(.item("a-very-secret-token"), for: .example)
        #expect(try place.files == ["default.sealed", "key"])
        #expect(try place.mode() == 0o700)
        for file in try place.files {
            #expect(try place.mode(of: file) == 0o600)
            let text = String(decoding: try place.bytes(file), as: UTF8.self)
            #expect(!text.contains("secret-token"))
            #expect(!text.contains("example.com"))
        }
    }

    @Test func `opens what another program sealed by its description`() async throws {
        // Made by Python's cryptography 48: HKDF-SHA256 without salt, ChaCha20-Poly1305.
        let sealed = """
            Y3NzZWFsZWQjUdNRgsogTcrDb8ZRKLA4AAECAwQFBgcICQoLosSG9KEcn3kyQ9vMPjPQGIQQ2Nl3Ze+UtF7DYGcqnSKtBOrrPmOz7kNucmAh\
            6DEoSIN5Oxc8E6pjSsUnC7y10ThaXasFlppws/BESiWm6DmxwApvQF61X90Fjy0CPCedQ5HQRlBpXgg/LSmzjos4iocaCn2Cuw==
            """
        try place.write(Array(try #require(Data(base64Encoded: sealed))), to: "default.sealed")
        try place.write(.item("countersign-sealing-key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"), to: "key")
        let key = TokenStoreKey(.signIn, "https://id.example.com", "tv")
        #expect(try await place.store().keys() == [key])
        #expect(try await place.store().load(key) == .item("one"))
    }

    @Test func `writes the same items in other bytes each time`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        let first = try place.bytes("default.sealed")
        try await store.save(.item("two"), for: .example)
        try await store.save(.item("one"), for: .example)
        #expect(try place.bytes("default.sealed") != first)
    }

    @Test func `makes a replaced file private again`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        try place.setMode(0o644, of: "default.sealed")
        try await store.save(.item("two"), for: .example)
        #expect(try place.mode(of: "default.sealed") == 0o600)
    }

    @Test func `is not kept from writing by what a crash left behind`() async throws {
        try place.write(.item("half a fi"), to: "default.sealed.new")
        try place.write(.item("99999999"), to: "default.lock")
        try await place.store().save(.item("one"), for: .example)
        #expect(try await place.store().load(.example) == .item("one"))
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test func `saves although its task is cancelled`() async throws {
        let store = place.store()
        let saving = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.save(.item("one"), for: .example)
        }
        saving.cancel()
        try await saving.value
        #expect(try await place.store().load(.example) == .item("one"))
    }

    @Test func `loses nothing when many write at the same time`() async throws {
        let stores = [place.store(), place.store(), place.store()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    try await stores[number % 3].save(.item("\(number)"), for: TokenStoreKey(.signIn, "\(number)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await place.store().keys().count == 30)
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test func `leaves the old items and nothing else when it cannot write`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        let before = try place.bytes("default.sealed")
        let tooMuch = [UInt8](repeating: 0, count: 4 << 20)
        await #expect(throws: TokenStoreError(.notWritten, because: "")) {
            try await store.save(tooMuch, for: .service)
        }
        #expect(try place.bytes("default.sealed") == before)

        let blocked = SealedFileTokenStore(directory: place.path("default.sealed"))
        await #expect(throws: TokenStoreError(.notWritten, because: "")) {
            try await blocked.save(.item("two"), for: .example)
        }
        #expect(try await store.load(.example) == .item("one"))
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test func `follows no link that somebody put in place of a file`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        for name in ["default.sealed", "key"] {
            try FileManager.default.moveItem(atPath: place.path(name), toPath: place.path("elsewhere"))
            try FileManager.default.createSymbolicLink(
                atPath: place.path(name),
                withDestinationPath: place.path("elsewhere")
            )
            await #expect(throws: TokenStoreError(.notRead, because: "")) { try await store.load(.example) }
            try place.remove(name)
            try FileManager.default.moveItem(atPath: place.path("elsewhere"), toPath: place.path(name))
        }
        #expect(try await store.load(.example) == .item("one"))
    }
}

@Suite("A group of a sealed file store")
struct TokenGroupTests {
    let place = StoreDirectory()

    @Test(arguments: ["radio", "Radio", "../radio", "", ".", "a b", String(repeating: "long", count: 100)])
    func `shares with those that name it, and with nobody else`(name: String) async throws {
        let group = TokenGroup(name)
        try await place.store(group).save(.item("ours"), for: .example)
        #expect(try await place.store(group).load(.example) == .item("ours"))
        for other in [TokenGroup.standard, TokenGroup("\(name)x"), TokenGroup("tv")] {
            #expect(try await place.store(other).load(.example) == nil)
            #expect(try await place.store(other).keys().isEmpty)
        }
        // And nothing is anywhere but in the directory.
        #expect(try place.files.count == 2)
    }

    @Test func `does not open what another group sealed`() async throws {
        try await place.store(TokenGroup("radio")).save(.item("ours"), for: .example)
        try FileManager.default.copyItem(atPath: place.path("radio.sealed"), toPath: place.path("tv.sealed"))
        await #expect(throws: TokenStoreError(.damaged, because: "")) {
            try await place.store(TokenGroup("tv")).load(.example)
        }
    }

    @Test func `may have the name of any file beside it`() async throws {
        for name in ["key", "key.lock", "default.lock", "default.sealed", "new"] {
            try await place.store(TokenGroup(name)).save(.item(name), for: .example)
        }
        for name in ["key", "key.lock", "default.lock", "default.sealed", "new"] {
            #expect(try await place.store(TokenGroup(name)).load(.example) == .item(name))
        }
    }
}

/// A place for a key that takes none.
private struct LockedKeyring: SealingKeyStore {
    /// Whether it can say that it has none.
    let finds: Bool
    private let error = TokenStoreError(.keyringUnavailable, because: "it is locked")

    init(finds: Bool) { self.finds = finds }

    func find() throws(TokenStoreError) -> SealingKey? {
        guard finds else { throw error }
        return nil
    }

    func keep(_ key: SealingKey) throws(TokenStoreError) -> SealingKey { throw error }
}
