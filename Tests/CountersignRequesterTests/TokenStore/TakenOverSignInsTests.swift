import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignRequester

@Suite("Sign-ins that an earlier version kept in the clear")
struct TakenOverSignInsTests {
    let place = StorePlace()
    let issuer: Issuer
    let client = ClientID("kitchen-radio")

    init() throws {
        issuer = try Issuer("https://id.example.com")
    }

    @Test func `are sealed when they are first looked for, and their files removed`() async throws {
        try place.write(Self.file(), to: Self.name)
        let kept = try #require(try await place.store().signedIn(for: key))
        #expect(kept.accessToken == AccessToken(revealing: "access-1"))
        #expect(kept.refreshToken == RefreshToken(revealing: "refresh-1"))
        #expect(kept.expires == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(kept.scope == Scope([.openid, .profile]))
        #expect(kept.identity?.displayName == "Anna")
        #expect(try place.files == ["default.sealed", "key"])
        #expect(try await place.store().signedIn(for: key) == kept)
    }

    @Test func `are listed with the others`() async throws {
        try place.write(Self.file(), to: Self.name)
        #expect(try await place.store().keys() == [key])
    }

    @Test func `are not lost when something else is saved first`() async throws {
        try place.write(Self.file(), to: Self.name)
        try await place.store().save(.item("other"), for: .service)
        #expect(try await place.store().keys() == [.service, key])
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test func `are taken over once by several at the same time`() async throws {
        try place.write(Self.file(), to: Self.name)
        try await withThrowingTaskGroup(of: SignedIn?.self) { group in
            for _ in 1...8 {
                let store = place.store()
                group.addTask { try await store.signedIn(for: key) }
            }
            for try await kept in group { #expect(kept?.accessToken == AccessToken(revealing: "access-1")) }
        }
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test(arguments: [("1700000000", "access-2"), ("1900000000", "access-1"), ("null", "access-2")])
    func `give way to what was kept since, unless they are later`(expires: String, winner: String) async throws {
        let sealed = SignedIn(
            accessToken: AccessToken(revealing: "access-2"),
            refreshToken: nil,
            expires: Date(timeIntervalSince1970: 1_850_000_000),
            scope: .none,
            identity: nil
        )
        try await place.store().save(sealed, for: key)
        // As by an interrupted removal, or by an earlier version that still runs somewhere.
        try place.write(Self.file(expires: expires), to: Self.name)
        #expect(try await place.store().signedIn(for: key)?.accessToken == AccessToken(revealing: winner))
        #expect(try place.files == ["default.sealed", "key"])
    }

    @Test(arguments: ["", "{}", "[]", "{\"issuer\":"])
    func `stay where they are when they are damaged, and are reported`(text: String) async throws {
        try place.write(.item(text), to: Self.name)
        let store = place.store()
        await #expect(throws: TokenStoreError(.damaged, because: "")) { try await store.load(key) }
        // The others are not touched by that.
        try await store.save(.item("other"), for: .service)
        #expect(try await store.load(.service) == .item("other"))
        #expect(try place.bytes(Self.name) == .item(text))

        // A new sign-in takes their place.
        try await store.save(.item("new"), for: key)
        #expect(try await store.load(key) == .item("new"))
        #expect(try !place.files.contains(Self.name))
    }

    @Test func `are removed with what replaces them`() async throws {
        try place.write(.item("{}"), to: Self.name)
        let store = place.store()
        try await store.remove(key)
        #expect(try await store.load(key) == nil)
    }

    @Test func `stay when the key is gone, since they could not be kept`() async throws {
        try await place.store().save(.item("other"), for: .service)
        try place.remove("key")
        try place.write(Self.file(), to: Self.name)
        await #expect(throws: TokenStoreError(.keyMissing, because: "")) { try await place.store().load(key) }
        #expect(try place.bytes(Self.name) == Self.file())
    }

    @Test func `are left alone by other groups, and so are other files`() async throws {
        try place.write(Self.file(), to: Self.name)
        try place.write(.item("{}"), to: "settings.json")
        try await place.store(TokenGroup("tv")).save(.item("other"), for: .service)
        #expect(try place.bytes(Self.name) == Self.file())
        _ = try await place.store().keys()
        #expect(try place.files.contains("settings.json"))
    }
}

extension TakenOverSignInsTests {
    var key: TokenStoreKey { .signIn(at: issuer, as: client) }

    /// The first 18 bytes of the digest of "https://id.example.com", a line feed and "kitchen-radio".
    static let name = "zwGqgUMdc9-uA3k_u422GPrk.json"

    /// A file as version 0.1.0 wrote it.
    static func file(expires: String = "1800000000") -> [UInt8] {
        .item(
            """
            {
              "accessToken" : "access-1",
              "client" : "kitchen-radio",
              "expires" : \(expires),
              "identity" : {
                "issuer" : "https://id.example.com",
                "name" : "Anna",
                "subject" : "anna-1"
              },
              "issuer" : "https://id.example.com",
              "refreshToken" : "refresh-1",
              "scope" : "openid profile"
            }
            """
        )
    }
}
