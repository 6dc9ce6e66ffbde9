import Countersign
import Testing

@Suite("The hash of a password")
struct PasswordHashTests {
    @Test func `is written and read again`() {
        let own = ScryptHash(logN: 17, salt: [1, 2, 3], hash: Array(0..<32))
        let hash = PasswordHash(.scrypt(own))
        #expect(hash.kind == .scrypt(own))
        #expect(own.isOwn)
        #expect(hash.text == "$scrypt$ln=17,r=8,p=1$AQID$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    }

    @Test(arguments: [
        "$scrypt$ln=4,r=4,p=3$AQID$\(sixteen)", "$pbkdf2$i=1$AQID$\(sixteen)", "$pbkdf2-sha256$i=1000$AQID$\(sixteen)",
        "$pbkdf2-sha512$i=5000000$AQID$\(sixteen)", "$argon2id$v=19$m=65536,t=3,p=4$AQIDBAUGBwg$\(sixteen)",
        "$2b$16$\(letters(53))", "$2a$04$\(letters(53))", "$2y$10$\(letters(53))", "$6$salt$\(letters(86))",
        "$6$rounds=5000000$salt$\(letters(86))", "$6$$\(letters(86))", "$7$C6..../....salt$\(letters(42)).",
    ])
    func `of each form is read and written the same`(text: String) throws {
        #expect(try PasswordHashKind(parsing: text).text == text)
    }

    @Test func `is read as Passlib writes it`() throws {
        let hash = try PasswordHashKind(parsing: "$pbkdf2-sha256$29000$AQ.D$\(sixteen)")
        #expect(hash.text == "$pbkdf2-sha256$i=29000$AQ+D$\(sixteen)")
    }

    @Test(arguments: [
        "$scrypt$ln=21,r=8,p=1$AQID$\(sixteen)", "$scrypt$ln=20,r=9,p=1$AQID$\(sixteen)",
        "$scrypt$ln=17,r=8,p=17$AQID$\(sixteen)", "$scrypt$ln=1,r=9999999999,p=1$AQID$\(sixteen)",
        "$scrypt$ln=9999999999,r=8,p=1$AQID$\(sixteen)", "$scrypt$ln=20,r=8,p=2$AQID$\(sixteen)",
        "$pbkdf2-sha256$i=5000001$AQID$\(sixteen)", "$pbkdf2-sha256$9999999999$AQID$\(sixteen)",
        "$argon2id$v=19$m=1048577,t=1,p=1$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=65536,t=65,p=1$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=9999999999,t=9999999999,p=1$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=65536,t=1,p=17$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=8,t=9999999999,p=1$AQIDBAUGBwg$\(sixteen)",
        "$2b$17$\(letters(53))", "$2b$31$\(letters(53))", "$6$rounds=5000001$salt$\(letters(86))",
        "$7$K6..../....salt$\(letters(43))", "$7$zzzzzz/....salt$\(letters(43))", "$7$C6....zzzzzsalt$\(letters(43))",
    ])
    func `that would cost too much is refused`(text: String) {
        #expect(throws: PasswordHashError.tooCostly) { try PasswordHashKind(parsing: text) }
        #expect(PasswordHash(restoring: text).kind == nil)
    }

    @Test(arguments: [
        "$scrypt$ln=17,r=8,p=1$AQID", "$scrypt$ln=0,r=8,p=1$AQID$\(sixteen)", "$scrypt$ln=,r=8,p=1$AQID$\(sixteen)",
        "$scrypt$ln=-1,r=8,p=1$AQID$\(sixteen)", "$scrypt$ln=17,r=0,p=1$AQID$\(sixteen)",
        "$scrypt$ln=17,r=1,p=1$AQID$\(sixteen)", "$scrypt$r=8,ln=17,p=1$AQID$\(sixteen)",
        "$scrypt$ln=17,r=8,p=1$A!ID$\(sixteen)", "$scrypt$ln=17,r=8,p=1$AQID$AQID", "$scrypt$ln=17,r=8,p=1$$\(sixteen)",
        "$scrypt$ln=17,r=8,p=1$AQID$\(sixteen)$AQID", "$scrypt$", "$scrypt$ln=17,r=8,p=1$AQID$\(sixteen)\u{0}",
        "$scrypt$ln=\u{FF11}0,r=8,p=1$AQID$\(sixteen)", "$scrypt$ln=17,r=8,p=1$AQID$\(sixteen)====",
        "$pbkdf2-sha256$i=0$AQID$\(sixteen)", "$pbkdf2-sha256$i=1$AQID$AQID", "$pbkdf2-sha256$$AQID$\(sixteen)",
        "$argon2id$m=65536,t=3,p=4$AQIDBAUGBwg$\(sixteen)", "$argon2id$v=16$m=65536,t=3,p=4$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=7,t=1,p=1$AQIDBAUGBwg$\(sixteen)", "$argon2id$v=19$m=65536,t=0,p=4$AQIDBAUGBwg$\(sixteen)",
        "$argon2id$v=19$m=65536,t=3,p=4$AQID$\(sixteen)", "$2b$03$\(letters(53))", "$2b$5$\(letters(53))",
        "$2b$10$\(letters(52))", "$2b$10$\(letters(52))!", "$6$salt$\(letters(85))",
        "$6$rounds=999$salt$\(letters(86))",
        "$6$rounds=x$salt$\(letters(86))", "$6$saltsaltsaltsalts$\(letters(86))", "$7$C6..../...$\(letters(43))",
        "$7$C6..../....salt$\(letters(42))", "$7$.6..../....salt$\(letters(43))",
    ])
    func `that is damaged is refused`(text: String) {
        #expect(throws: PasswordHashError.malformed) { try PasswordHashKind(parsing: text) }
    }

    @Test(arguments: [
        "", "$", "scrypt", "plain", "$1$salt$hash", "$5$salt$hash", "$2x$10$\(letters(53))",
        "$argon2i$v=19$m=8,t=1,p=1$AA$AA",
        "$argon2d$v=19$m=8,t=1,p=1$AA$AA", "$pbkdf2-md5$i=1$AQID$AQID", "$y$j9T$salt$hash",
    ])
    func `of another form is refused`(text: String) {
        #expect(throws: PasswordHashError.unknownForm) { try PasswordHashKind(parsing: text) }
    }

    @Test func `of any length is read or refused`() {
        #expect(throws: PasswordHashError.malformed) { try PasswordHashKind(parsing: "$6$" + letters(1_000_000)) }
    }

    @Test func `does not show itself`() {
        #expect("\(PasswordHash(restoring: "$scrypt$"))" == "PasswordHash(redacted)")
    }
}

/// Sixteen bytes in Base64.
private let sixteen = "AAECAwQFBgcICQoLDA0ODw"

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
