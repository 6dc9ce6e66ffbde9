import Countersign
import Foundation
import Testing

@testable import CountersignCommand

/// Standard: RFC 2849.
@Suite("A directory to import")
struct LDIFImportTests {
    private func read(_ text: String) throws -> ImportFile {
        try ImportFile(of: Data(text.utf8), called: "The file", as: .ldif)
    }

    private func people(_ text: String) throws -> [ImportedPerson] {
        try read(text).records.map { try ImportedPerson($0.fields.get(), with: $0.extras, vouching: false) }
    }

    @Test func `has people with folded lines, Base64, comments, groups and attributes`() throws {
        let people = try people(
            """
            version: 1
            # The staff,
              of the company
            dn: uid=anna,ou=people,dc=example,dc=org
            objectClass: inetOrgPerson
            uid: anna
            cn:: QW5uYSDDhWtl
            mail: anna@exa
             mple.org
            title: Head of
              Sales
            title;lang-de: Leiterin
            jpegPhoto:: !!!
            memberOf: cn=staff,ou=groups,dc=example,dc=org
            MEMBEROF: CN=r\\26d,OU=groups
            memberOf: cn=night+ou=x
            preferredLanguage: de, en;q=0.5

            dn: uid=ben,dc=example\r
            uid: ben\r
            mail: b@example.org\r
            """)
        #expect(people.map(\.username) == ["anna", "ben"].map { Username(rawValue: $0) })
        #expect(people[0].name == "Anna Åke" && people[0].email == "anna@example.org")
        #expect(people[0].extras.attributes == [AttributeName("title"): "Head of Sales"])
        #expect(people[0].extras.groups == [GroupName("staff"), GroupName("night")])
        #expect(people[0].extras.notes.count == 1 && people[0].extras.locale == "de")
        #expect(people[1].email == "b@example.org" && !people[1].isEmailVerified && people[1].secret == .none)
    }

    @Test(arguments: [
        "{CRYPT}$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a",
        "{crypt}$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a",
        "{PBKDF2-SHA256}10000$c2FsdHNhbHQ$c2l4dGVlbiBieXRlcyBvbmx5",
        "{ARGON2}$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$c2l4dGVlbiBieXRlcyBvbmx5",
    ])
    func `has hashes that are verified`(password: String) throws {
        let encoded = Data(password.utf8).base64EncodedString()
        for line in ["userPassword: \(password)", "userPassword:: \(encoded)"] {
            let anna = try #require(try people("dn: uid=anna\nuid: anna\nuserPassword: {SSHA}x\n\(line)\n").first)
            guard case .hash = anna.secret else {
                Issue.record("\(anna.extras.notes)")
                return
            }
            #expect(anna.extras.notes.isEmpty)
        }
    }

    @Test(arguments: [
        ("{SSHA512}c2FsdA==", "{SSHA512}"), ("{CRYPT}x", "{CRYPT}"), ("secret", "in the clear"), ("{", "in the clear"),
        ("{PBKDF2-SHA256}9", "{PBKDF2-SHA256}"), ("{ARGON2}$argon2i$v=19$m=1,t=1,p=1$eA$eA", "{ARGON2}"),
    ])
    func `has other hashes that are named, without their words`(password: String, scheme: String) throws {
        let anna = try #require(try people("dn: uid=anna\nuid: anna\nuserPassword: \(password)\n").first)
        #expect(anna.secret == .none)
        #expect(anna.extras.notes == ["hash not taken (\(scheme)): the person needs a link."])
    }

    @Test(arguments: [
        ("nsAccountLock: TRUE", true), ("nsaccountlock: true", true), ("pwdAccountLockedTime: 000001010000Z", true),
        ("userAccountControl: 514", true), ("nsAccountLock: FALSE", false), ("userAccountControl: 512", false),
        ("pwdAccountLockedTime: 20261129080000Z", false), ("userAccountControl: 99999999999999999999", false),
    ])
    func `has accounts that are locked`(line: String, isLocked: Bool) throws {
        let anna = try #require(try people("dn: uid=anna\nuid: anna\n\(line)\n").first)
        #expect(anna.standing == (isLocked ? .locked : nil))
    }

    @Test func `has temporary passwords that are not taken`() throws {
        let hash = "{CRYPT}$2b$05$RJ800r7C1eduFO0iTaLlGeBnZIWWm6QKxqt1nipL8DXBY4gUg7Y2a"
        let entry = "dn: uid=anna\nuid: anna\nuserPassword: \(hash)\npwdReset: TRUE\n"
        let anna = try #require(try people(entry).first)
        #expect(anna.secret == .none)
        #expect(anna.extras.notes == ["hash not taken (temporary password): the person needs a link."])
    }

    @Test func `has entries that are no people`() throws {
        let file = try read("dn: dc=example\nobjectClass: domain\n\n\n\ndn: cn=staff\ncn: staff\n\ndn: uid=a\nuid: a\n")
        #expect(file.records.map(\.line) == [9] && file.skipped == 2)
    }

    @Test(arguments: [
        "uid: anna", "dn: uid=anna\nuid anna", "dn: uid=anna\n: anna", "dn: uid=anna\nuid:: ***", " dn: x\nuid: x",
        "dn: uid=anna\nuid:: /w==", "dn: uid=anna\nuid: an\u{0}na", "dn: uid=anna\nuid:< file:///etc/passwd",
        "dn: uid=anna\nchangetype: delete", "dn: x\ncontrol: 1.2.3 true\nuid: x", "dn: x\nobjectClass: person\ncn: x",
        "dn: x\nuid: a\nmemberOf: staff",
    ])
    func `has bad entries that are refused with their line`(entry: String) throws {
        let file = try read("dn: uid=ben\nuid: ben\n\n\(entry)\n\ndn: uid=cleo\nuid: cleo\n")
        #expect(file.records.count == 3 && file.records[1].line == 4)
        #expect(file.records.map { (try? $0.fields.get()) != nil } == [true, false, true])
    }

    @Test func `has lines of any length, and a name that is too long is refused`() throws {
        let photo = String(repeating: "A", count: 1_000_000)
        let folded = String(repeating: "\n A", count: 100_000)
        let records = try read(
            "dn: uid=a\nuid: a\njpegPhoto:: \(photo)\nx: y\(folded)\n\ndn: uid=b\nuid: b\ncn: \(photo)\n"
        ).records
        let isTaken = records.map { record in
            (try? record.fields.get()).map { (try? ImportedPerson($0, with: record.extras, vouching: false)) != nil }
                ?? false
        }
        #expect(isTaken == [true, false])
    }

    @Test(arguments: ["\n\n", "# only a comment\n", "version: 1\n", "-", "\r\n\r\n#"])
    func `may have nobody`(text: String) throws {
        let file = try ImportFile(of: Data("\(text) ".utf8) + Data("\n#".utf8), called: "It", as: .ldif)
        #expect(file.records.allSatisfy { (try? $0.fields.get()) == nil })
    }
}
