import Countersign
import CountersignTesting
import Foundation
import NIOPosix
import Testing

@testable import CountersignServer

/// Standard: RFC 7914 (scrypt).
@Suite("A password")
struct PasswordHasherTests {
    let cheap = PasswordHasher(
        cost: PasswordCost(logN: 10),
        drawingFrom: SeededRandom(seed: 7).source,
        on: .singleton
    )
    let password = Password(revealing: "pleaseletmein")

    /// The vector of RFC 7914 §12 that has the costs of ours: N = 16384, r = 8, p = 1; of its 64 bytes the first 32.
    @Test func `is hashed as the standard's example`() async throws {
        let stored = PasswordHash(
            cost: PasswordCost(logN: 14),
            salt: Array("SodiumChloride".utf8),
            hash: [
                0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38, 0xeb,
                0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d, 0xa1, 0xf2,
            ]
        )
        #expect(try await cheap.matches(password, stored))
        #expect(try await !cheap.matches(Password(revealing: "pleaseletmeout"), stored))
    }

    @Test func `matches its own hash and no other`() async throws {
        let hash = try await cheap.hash(password)
        #expect(try await cheap.matches(password, hash))
        for other in ["", "Pleaseletmein", "pleaseletmein ", "pleaseletmei"] {
            #expect(try await !cheap.matches(Password(revealing: other), hash))
        }
    }

    @Test func `is hashed with a salt of its own each time`() async throws {
        let one = try await cheap.hash(password)
        let other = try await cheap.hash(password)
        #expect(one != other)
        guard case .scrypt(let own)? = one.kind else {
            Issue.record("no hash of scrypt")
            return
        }
        #expect(own.isOwn && own.salt.count == 16)
    }

    @Test(arguments: [(9, true), (10, false), (11, false)])
    func `is hashed anew where it was hashed at a lower cost`(logN: Int, isReplaced: Bool) async throws {
        let composed = Password(revealing: "caf\u{E9}")
        let other = PasswordHasher(cost: PasswordCost(logN: logN), drawingFrom: .system, on: .singleton)
        let stored = try await other.hash(Password(revealing: "cafe\u{301}"))
        switch try await cheap.verify(composed, stored, from: nil, inKnownBrowserOf: nil) {
        case .wrong: Issue.record("the password is right")
        case .right: #expect(!isReplaced)
        case .rightInForeignForm(let replacement):
            #expect(isReplaced && replacement.text.hasPrefix("$scrypt$ln=10,"))
            #expect(try await cheap.matches(composed, replacement))
        }
        #expect(try await !cheap.matches(password, stored))
    }

    @Test func `is the same however its letters were composed`() async throws {
        let hash = try await cheap.hash(Password(revealing: "caf\u{E9}"))
        #expect(try await cheap.matches(Password(revealing: "cafe\u{301}"), hash))
    }

    @Test func `never matches where no hash is stored`() async throws {
        #expect(try await !cheap.matches(password, nil))
        #expect(try await !cheap.matches(Password(revealing: ""), nil))
    }

    @Test func `is stored in the PHC form, with the real cost`() async throws {
        let real = PasswordHasher(cost: .standard, drawingFrom: .system, on: .singleton)
        let hash = try await real.hash(password)
        #expect(hash.text.wholeMatch(of: #/\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/#) != nil)
        #expect(try await cheap.matches(password, hash))
    }

    @Test func `is redacted in descriptions`() async throws {
        let hash = try await cheap.hash(password)
        #expect("\(hash)" == "PasswordHash(redacted)")
        #expect("\(password)".contains("redacted"))
    }

    @Test(arguments: [
        "", "$", "$$$$", "plain", "$scrypt$", "$scrypt$ln=10,r=8,p=1$", "$scrypt$ln=10,r=8,p=1$AAAA",
        "$scrypt$ln=10,r=8,p=1$$AAAA", "$scrypt$ln=0,r=8,p=1$AAAA$AAAA", "$scrypt$ln=21,r=8,p=1$AAAA$AAAA",
        "$scrypt$ln=-1,r=8,p=1$AAAA$AAAA", "$scrypt$ln=99999999999999999999,r=8,p=1$AAAA$AAAA",
        "$scrypt$ln=10,r=9,p=1$AAAA$AAAA", "$scrypt$ln=10,r=8,p=2$AAAA$AAAA", "$scrypt$r=8,p=1,ln=10$AAAA$AAAA",
        "$bcrypt$ln=10,r=8,p=1$AAAA$AAAA", "$scrypt$ln=10,r=8,p=1$A*AA$AAAA", "$scrypt$ln=10,r=8,p=1$AAAA$AAAA$AAAA",
        "$scrypt$ln=,r=8,p=1$AAAA$AAAA", "$scrypt$ln=10,r=8,p=1$AAAAA$AAAA", "$scrypt$ln=1e1,r=8,p=1$AAAA$AAAA",
        "$scrypt$ln=10,r=8,p=1$AAAA$\u{0}", "$scrypt$ln=１０,r=8,p=1$AAAA$AAAA",
    ])
    func `matches no hash that is damaged`(text: String) async throws {
        let hash = PasswordHash(restoring: text)
        #expect(hash.kind == nil)
        #expect(try await !cheap.matches(password, hash))
    }

    @Test(arguments: ["AA", "AAAA", String(repeating: "A", count: 44)])
    func `matches no hash that is cut or too long`(hash: String) async throws {
        let stored = PasswordHash(restoring: "$scrypt$ln=10,r=8,p=1$AAAA$\(hash)")
        #expect(try await !cheap.matches(password, stored))
    }
}
