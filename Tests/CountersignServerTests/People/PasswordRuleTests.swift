import Countersign
import Testing

@testable import CountersignServer

/// Standard: NIST SP 800-63B (revision 3) §5.1.1.2.
@Suite("The rule for new passwords")
struct PasswordRuleTests {
    private let rule = PasswordRule(avoiding: [
        "anna.example", "Anna Maria Müller", "am@mail.example.org", nil, "Radio Club", "id.example.org",
    ])

    private func objection(to text: String) -> PasswordRuleError? {
        do throws(PasswordRuleError) {
            try rule.verify(Password(revealing: text))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "correct horse battery", "  spaces count  ", "x7#Qm2vL", "ein Eichhörnchen", "四つの海を渡る猫", "🦊🦔🐸🐙🦀🐝🐞🐢",
        "annual report of 1998", "summer8472916305", "radio astronomers’ clubs", "four words, anna maria",
        String(repeating: "long one ", count: 100),
    ])
    func `takes any characters, and demands none`(text: String) {
        #expect(objection(to: text) == nil)
    }

    @Test func `counts code points of the composed text, and bytes of a long one`() {
        #expect(objection(to: "x7#Qm2v") == .tooShort)
        #expect(objection(to: "") == .tooShort)
        // Seven letters, one of them with its accent apart.
        #expect(objection(to: "x7#Qme\u{301}v") == .tooShort)
        let long = (0..<512).map { "\($0 % 7)\($0 * $0 % 9)" }.joined()
        #expect(objection(to: long) == nil)
        #expect(objection(to: long + "1") == .tooLong)
    }

    @Test(arguments: [
        "password", "PassWord", "12345678", "qwertzuiop", "ｐａｓｓｗｏｒｄ", "Password!", "p@$$w0rd", "P@ssw0rd1",
        "!!dragon24",
        "dragon2024", "monkey12345", "12345monkey", "iloveyou!!!", "aaaaaaaa", "abababab", "abcabcabc", "hellohello",
        "        ",
        "3456789:;", "hgfedcba", "bcdefghijk", "Schatz1990", "motdepasse1", "contraseña1",
    ])
    func `refuses the passwords that others try first, and those like them`(text: String) {
        #expect(objection(to: text) == .common)
    }

    @Test(arguments: [
        "anna.example", "annaexample", "Anna2026", "MÜLLER-anna", "Mu\u{308}ller1998", "example.org",
        "am@mail.example.org",
        "radioclub", "Radio Club 123", "annamaria123456",
    ])
    func `refuses what others know of the person and the server`(text: String) {
        #expect(objection(to: text) == .known)
    }

    @Test func `has a list of the commonest passwords, each once, folded and in order`() {
        let text = String(decoding: PackageResources.commonPasswords_txt, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(lines.count >= 1_000 && lines.count == CommonPasswords.count)
        #expect(lines.allSatisfy { $0 == $0.lowercased() && $0.count >= 3 && !$0.contains { $0.isWhitespace } })
        let values = lines.map { $0.unicodeScalars.map(\.value) }
        #expect(values == values.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
