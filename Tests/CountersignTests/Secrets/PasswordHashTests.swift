import Countersign
import Testing

@Suite("The hash of a password")
struct PasswordHashTests {
    @Test func `is written and read again`() {
        let parts = PasswordHash.Parts(logN: 17, salt: [1, 2, 3], hash: Array(0..<32))
        #expect(PasswordHash(parts).parts == parts)
        #expect(PasswordHash(parts).text == "$scrypt$ln=17,r=8,p=1$AQID$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    }

    @Test(arguments: [
        "", "scrypt", "$scrypt$ln=17,r=8,p=1$AQID", "$scrypt$ln=0,r=8,p=1$AQID$AQID", "$scrypt$ln=21,r=8,p=1$AQID$AQID",
        "$scrypt$ln=,r=8,p=1$AQID$AQID", "$scrypt$ln=17,r=9,p=1$AQID$AQID", "$argon2id$ln=17,r=8,p=1$AQID$AQID",
        "$scrypt$ln=17,r=8,p=1$A!ID$AQID", "$scrypt$ln=17,r=8,p=1$AQID$A", "$scrypt$ln=17,r=8,p=1$AQID$AQID$AQID",
        "$scrypt$ln=,r=8,p=1", "$scrypt$ln=r=8,p=1$AQID$AQID",
    ])
    func `is read in no other form`(text: String) {
        #expect(PasswordHash(restoring: text).parts == nil)
    }

    @Test func `does not show itself`() {
        #expect("\(PasswordHash(restoring: "$scrypt$"))" == "PasswordHash(redacted)")
    }
}
