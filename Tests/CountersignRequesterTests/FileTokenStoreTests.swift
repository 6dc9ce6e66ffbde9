import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignRequester

@Suite("A file store for tokens")
final class FileTokenStoreTests {
    let place: String
    let store: FileTokenStore
    let key: TokenStoreKey

    init() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID().uuidString)").path()
        self.place = place
        store = FileTokenStore(directory: "\(place)/below/tokens")
        key = TokenStoreKey(issuer: try Issuer("https://id.example.com"), client: ClientID("../kitchen/radio"))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: place)
    }

    @Test func `gives back what it was given`() async throws {
        try await store.save(signedIn("one"), for: key)
        #expect(try await store.load(key) == signedIn("one"))
        try await store.save(signedIn("two"), for: key)
        #expect(try await store.load(key) == signedIn("two"))
        #expect(try files().count == 1)
    }

    @Test func `has nothing before it was given anything, and after it forgot`() async throws {
        #expect(try await store.load(key) == nil)
        try await store.remove(key)
        try await store.save(signedIn("one"), for: key)
        try await store.remove(key)
        #expect(try await store.load(key) == nil)
        #expect(try files().isEmpty)
    }

    @Test func `keeps servers and apps apart`() async throws {
        let another = TokenStoreKey(issuer: try Issuer("https://id.example.org"), client: key.client)
        try await store.save(signedIn("one"), for: key)
        try await store.save(signedIn("two"), for: another)
        #expect(try await store.load(key) == signedIn("one"))
        #expect(try await store.load(another) == signedIn("two"))
    }

    @Test func `lets nobody else read what it keeps`() async throws {
        try await store.save(signedIn("one"), for: key)
        let directory = "\(place)/below/tokens"
        #expect(try mode(of: directory) == 0o700)
        for file in try files() { #expect(try mode(of: "\(directory)/\(file)") == 0o600) }
    }

    @Test func `makes a replaced file private again`() async throws {
        try await store.save(signedIn("one"), for: key)
        let file = "\(place)/below/tokens/\(try #require(files().first))"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try await store.save(signedIn("two"), for: key)
        #expect(try mode(of: file) == 0o600)
    }

    @Test func `replaces a file whole, so that a reader sees the old one or the new one`() async throws {
        try await store.save(signedIn("0"), for: key)
        let (store, key) = (store, key)
        // Another store of the same directory, as another process would have it.
        let reader = FileTokenStore(directory: "\(place)/below/tokens")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...50 { try await store.save(Self.signedIn("\(number)"), for: key) }
            }
            group.addTask {
                for _ in 1...200 {
                    let kept = try await reader.load(key)
                    #expect(kept != nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try files().count == 1)
    }

    @Test func `leaves the old file and nothing else when it cannot write`() async throws {
        try await store.save(signedIn("one"), for: key)
        let blocked = FileTokenStore(directory: "\(place)/below/tokens/\(try #require(files().first))")
        await #expect(throws: TokenStoreError(.notWritten, because: "")) {
            try await blocked.save(Self.signedIn("two"), for: self.key)
        }
        #expect(try await store.load(key) == signedIn("one"))
        #expect(try files().count == 1)
    }

    @Test(arguments: ["", "{}", "[]", "{\"issuer\":"])
    func `says when a file is damaged`(text: String) async throws {
        try await store.save(signedIn("one"), for: key)
        let file = "\(place)/below/tokens/\(try #require(files().first))"
        try Data(text.utf8).write(to: URL(filePath: file))
        await #expect(throws: TokenStoreError(.damaged, because: "")) { try await self.store.load(self.key) }
    }

    @Test func `follows no link that somebody put in place of a file`() async throws {
        try await store.save(signedIn("one"), for: key)
        let file = "\(place)/below/tokens/\(try #require(files().first))"
        try FileManager.default.moveItem(atPath: file, toPath: "\(place)/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "\(place)/elsewhere")
        await #expect(throws: TokenStoreError(.notRead, because: "")) { try await self.store.load(self.key) }
    }
}

extension FileTokenStoreTests {
    static func signedIn(_ token: String) -> SignedIn {
        SignedIn(
            accessToken: AccessToken(revealing: "access-\(token)"),
            refreshToken: RefreshToken(revealing: "refresh-\(token)"),
            expires: Date(timeIntervalSince1970: 1_800_000_000),
            scope: Scope([.openid, .profile]),
            identity: VerifiedIdentity(
                restoring: "https://id.example.com",
                subject: Subject("anna-1"),
                name: "Anna",
                username: nil,
                email: nil
            )
        )
    }

    func signedIn(_ token: String) -> SignedIn { Self.signedIn(token) }

    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(place)/below/tokens")
    }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
