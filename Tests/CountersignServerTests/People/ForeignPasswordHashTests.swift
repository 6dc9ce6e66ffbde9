import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import NIOPosix
import Testing

@testable import CountersignServer

/// Standard: RFC 8018 (PBKDF2), RFC 9106 (Argon2), RFC 7914 (scrypt), crypt(5).
@Suite("A password that another system hashed")
struct ForeignPasswordHashTests {
    private let hasher = PasswordHasher(
        cost: TestPerson.cost, drawingFrom: SeededRandom(seed: 7).source, on: .singleton)
    private let password = Password(revealing: ForeignPasswordHashes.password)

    @Test(arguments: ForeignPasswordHashes.all)
    func `is verified, and hashed anew in the server's form`(text: String) async throws {
        let stored = try PasswordHash(imported: text)
        // The stored form is read again.
        #expect(try PasswordHash(imported: stored.text) == stored)
        let verification = try await hasher.verify(password, stored, from: nil, inKnownBrowserOf: nil)
        guard case .rightInForeignForm(let replacement) = verification else {
            Issue.record("\(verification)")
            return
        }
        guard case .scrypt(let own)? = replacement.kind else {
            Issue.record("no hash of scrypt")
            return
        }
        #expect(own.isOwn && own.logN == TestPerson.cost.logN)
        #expect(try await hasher.matches(password, replacement))
        for wrong in ["", "correct horse batter", "Correct horse battery", "\u{0}"] {
            #expect(try await !hasher.matches(Password(revealing: wrong), stored), "\(wrong.debugDescription)")
        }
        let long = Password(revealing: String(repeating: "x", count: 10_000))
        #expect(try await !hasher.matches(long, stored))
    }

    @Test func `has any letters`() async throws {
        let stored = try PasswordHash(imported: ForeignPasswordHashes.ofLetters)
        #expect(try await hasher.matches(Password(revealing: "bl\u{E5}b\u{E4}rs\u{F6}l"), stored))
        #expect(try await !hasher.matches(Password(revealing: "blabarsol"), stored))
    }

    /// `crypt` takes text that a zero byte ends.
    @Test(
        arguments: ForeignPasswordHashes.all.filter { $0.hasPrefix("$2") || $0.hasPrefix("$6$") || $0.hasPrefix("$7$") }
    )
    func `ends at no zero byte`(text: String) async throws {
        let longer = Password(revealing: ForeignPasswordHashes.password + "\u{0}x")
        #expect(try await !hasher.matches(longer, try PasswordHash(imported: text)))
    }

    @Test(arguments: [
        "", "secret", "x$y", "pbkdf2_sha256$1000$salt", "pbkdf2_sha256$x$salt$AAAA", "pbkdf2_sha256$-1$salt$AAAA",
        "pbkdf2_md5$1000$salt$AAAA", "pbkdf2_sha256$99999999999999999999$salt$AAAA",
        "pbkdf2_sha256$5000001$salt$DrdiWD40lyBuydnjvZiDrdQMx1S1mOA9O0QYex0R6ww=",
        "argon2$argon2i$v=19$m=8,t=1,p=1$AA$AA",
        "bcrypt$$2b$31$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a", "bcrypt_sha256$$2b$12$x", "AA==", "AQ==",
        "AQAAAAEAAAPo", "Ag==", "AQAAAAH/////AAAAEAABAgMEBQYHCAkKCwwNDg8CFp5nTYDA/HKS6GEMjxe+FA3wYq+aoz6oXqq+z/3wjQ==",
        "AQAAAAEAAAPo/////wABAgMEBQYHCAkKCwwNDg8CFp5nTYDA/HKS6GEMjxe+FA3wYq+aoz6oXqq+z/3wjQ==",
        "AQAAAAkAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg8CFp5nTYDA/HKS6GEMjxe+FA3wYq+aoz6oXqq+z/3wjQ==", "{", "{}",
        #"{"secretData":"{","credentialData":"{}"}"#, #"{"secretData":null,"credentialData":null}"#,
        #"{"value":"AAAA","salt":"AAAA","hashIterations":1000,"algorithm":"pbkdf2-sha256"}"#,
        #"{"value":"AAECAwQFBgcICQoLDA0ODw==","salt":"AAAA","hashIterations":-5,"algorithm":"pbkdf2-sha256"}"#,
        #"{"value":"AAECAwQFBgcICQoLDA0ODw==","salt":"AAAA","hashIterations":1e300,"algorithm":"pbkdf2-sha256"}"#,
        #"{"value":"AAECAwQFBgcICQoLDA0ODw==","salt":"AAAA","hashIterations":6000000,"algorithm":"pbkdf2-sha256"}"#,
        #"{"value":"AAECAwQFBgcICQoLDA0ODw==","salt":"AAAA","hashIterations":1000,"algorithm":"md5"}"#,
        String(repeating: "[", count: 9000), "{" + String(repeating: #""a":{"#, count: 1500),
    ])
    func `is refused in other forms, and where it would cost too much`(text: String) {
        #expect(throws: PasswordHashError.self) { try PasswordHash(imported: text) }
    }

    @Test(arguments: [
        "{SSHA}5en6G6MezRroT3XKqkdPOmY/BfQ=", "{SSHA512}AAAA", "{CRYPT}$6$x$y", "{x-pbkdf2}AAAA", "md5$salt$AAAA", "AA",
    ])
    func `has no known form where another scheme is named`(text: String) {
        #expect(throws: PasswordHashError.unknownForm) { try PasswordHash(imported: text) }
    }

    @Test(arguments: ForeignPasswordHashes.all)
    func `is refused where its text is cut`(text: String) throws {
        let whole = try PasswordHash(imported: text)
        for length in stride(from: 0, to: text.count, by: 3) {
            // Some forms have hashes of several lengths; a shorter one is another hash.
            #expect((try? PasswordHash(imported: String(text.prefix(length)))) != whole)
        }
    }

    @Test func `takes the work of an unknown name beside its own, right or wrong`() async throws {
        let hashed = NIOLockedValueBox<[PasswordCost]>([])
        let hasher = PasswordHasher(cost: TestPerson.cost, drawingFrom: .system, on: .singleton) { cost in
            hashed.withLockedValue { $0.append(cost) }
        }
        let stored = try PasswordHash(imported: ForeignPasswordHashes.all[0])
        _ = try await hasher.matches(password, stored)
        _ = try await hasher.matches(Password(revealing: "wrong"), stored)
        _ = try await hasher.matches(password, nil)
        #expect(hashed.withLockedValue { $0 } == [TestPerson.cost, TestPerson.cost, TestPerson.cost])
    }
}

@Suite("A sign-in with a password that another system hashed", .server)
struct ForeignPasswordSignInTests {
    private let server = TestServer.current

    @Test func `stores a hash of the server in the same change, with an entry in the audit`() async throws {
        try await storeForeignHash()
        let browser = try await server.newBrowser()
        let wrong = try await browser.post("login", ["username": "anna", "password": "wrong"])
        #expect(wrong.status == .forbidden)
        #expect(try await stored()?.kind?.name == "bcrypt")
        #expect(try await rehashed().isEmpty)

        let right = try await browser.post("login", form)
        #expect(right.givenCookie != nil)
        let replaced = try #require(try await stored())
        #expect(replaced.kind?.name == "scrypt")
        let entries = try await rehashed()
        #expect(entries.map(\.facts.detail) == ["bcrypt"] && entries.first?.facts.subject == TestPerson.anna.subject)

        let again = try await server.newBrowser()
        #expect(try await again.post("login", form).givenCookie != nil)
        #expect(try await stored() == replaced)
        #expect(try await rehashed().count == 1)
    }

    @Test func `goes on with the second factor`() async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        try await storeForeignHash()
        server.clock.advance(by: .seconds(30))
        let browser = try await server.newBrowser()
        let asked = try await browser.post("login", form)
        #expect(asked.status == .ok)
        #expect(try await stored()?.kind?.name == "scrypt")
        let answer = try await browser.type(totp.password(at: server.clock.date).revealed, at: asked)
        #expect(answer.location == "/activate")
    }

    @Test func `of a locked person changes nothing`() async throws {
        try await storeForeignHash()
        try await server.lock(.anna)
        let answer = try await server.newBrowser().post("login", form)
        #expect(answer.status == .forbidden)
        #expect(try await stored()?.kind?.name == "bcrypt")
    }

    private var form: Form {
        ["username": "anna", "password": ForeignPasswordHashes.password, "return_to": "/activate"]
    }

    private func storeForeignHash() async throws {
        let hash = try PasswordHash(imported: ForeignPasswordHashes.all[0])
        try await server.change(.anna) { $0.password = hash }
    }

    private func stored() async throws -> PasswordHash? {
        try await server.record(of: .anna).password
    }

    private func rehashed() async throws -> [AuditEntry] {
        try await server.store.read {
            try $0.audit.entries(after: 0, limit: 1000).filter { $0.facts.act == .passwordRehashed }
        }
    }
}
