import Countersign
import Foundation

extension Parser {
    /// Codes and texts of the core.
    static let codes: [Parser] = [
        Parser(
            "user-code",
            text: { text in
                guard let code = UserCode(parsing: text) else { return }
                expect(code.characters.count == UserCode.length, "a code has eight characters")
                expect(code.characters.allSatisfy { UserCode.alphabet.contains($0) }, "of the alphabet")
                expect(UserCode(parsing: code.description) == code, "and is read again as it is shown")
                expect(UserCode(parsing: code.characters.lowercased()) == code, "in any case")
            }),
        Parser(
            "url-safe-text",
            text: { text in
                guard let bytes = URLSafeText.decode(text) else { return }
                expect(URLSafeText.encode(bytes) == text, "every value has one spelling")
            }),
        Parser(
            "url-safe-bytes",
            bytes: { bytes in
                expect(URLSafeText.decode(URLSafeText.encode(bytes)) == bytes, "what is written is read again")
            }),
    ]

    /// Names.
    static let parties: [Parser] = [
        Parser(
            "scope-word",
            text: { text in
                guard let word = ScopeWord(parsing: text) else { return }
                expect(word.rawValue == text && text.isPrintable && !text.isEmpty, "a word is printable")
                expect(
                    !text.contains(where: { " \"\\".contains($0) }), "and has no character that the standard leaves out"
                )
            }),
        Parser(
            "scope",
            text: { text in
                guard let scope = Scope(parsing: text) else { return }
                expect(Set(scope.words).count == scope.words.count, "no word stands twice")
                expect(Scope(parsing: scope.description) == scope, "and is read again as it is written")
                expect(scope.isSubset(of: scope), "it is part of itself")
            }),
        Parser(
            "username",
            text: { text in
                guard let name = Username(parsing: text) else { return }
                expect(Username(parsing: name.rawValue) == name, "a name is read again as it is kept")
                expect(
                    name.rawValue.utf8.elementsEqual((Username(parsing: name.rawValue)?.rawValue ?? "").utf8), "alike")
                // An e-mail address may be longer than other names, and have what addresses have.
                let isAddress = EmailAddress(parsing: name.rawValue) != nil
                let (longest, marks) = isAddress ? (EmailAddress.longest, "<>\"\0") : (64, "<>&\"'\0")
                expect((1...longest).contains(name.rawValue.count), "it has a length")
                expect(name.rawValue.utf8.count <= 256, "and few bytes")
                expect(!name.rawValue.contains { $0.isWhitespace || marks.contains($0) }, "and no mark or space")
            }),
    ]

    /// Columns that the database returns, where an attacker may have written them.
    static let columns: [Parser] = [
        Parser(
            "password-hash",
            text: { text in
                guard let kind = PasswordHash(restoring: text).kind else { return }
                if case .scrypt(let hash) = kind {
                    expect((1...20).contains(hash.logN), "a cost is one that can be paid")
                }
                expect(PasswordHash(restoring: kind.text).kind == kind, "what is written is read again")
            })
    ]
}
