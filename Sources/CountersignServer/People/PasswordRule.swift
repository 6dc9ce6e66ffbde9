internal import Foundation

/// The rule for new passwords: a minimum length, and no password that others guess first.
///
/// Any characters are allowed, spaces too, and none are demanded. People and operators follow the same rule.
/// Standard: NIST SP 800-63B (revision 3) §5.1.1.2.
public struct PasswordRule: Sendable {
    /// The minimum length of a password, in Unicode code points.
    public static let shortest = 8
    /// The maximum length of a password, in bytes of UTF-8.
    public static let longest = 1024
    /// The minimum number of letters and digits beside a word that others guess.
    private static let leastBeside = 5
    /// The minimum length of a word, in characters: shorter ones are parts of other words.
    private static let shortestWord = 3
    /// The maximum length of a repeated part, in code points.
    private static let longestPart = 4

    /// The words that others know of the person and the server, the longest first.
    private let knownWords: [String]

    /// Creates the rule for one person.
    ///
    /// - Parameter known: What others know of the person and the server: names, addresses; `nil` for an unknown one.
    public init(avoiding known: [String?]) {
        let words = known.compactMap(\.self).map(Self.folded).flatMap { text in
            [text] + text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        knownWords = Set(words.filter { $0.count >= Self.shortestWord })
            .sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Verifies a new password.
    ///
    /// - Parameter password: The password as it was typed.
    /// - Throws: ``PasswordRuleError``.
    public func verify(_ password: Password) throws(PasswordRuleError) {
        guard password.revealed.utf8.count <= Self.longest else { throw .tooLong }
        let length = password.revealed.precomposedStringWithCanonicalMapping.unicodeScalars.count
        guard length >= Self.shortest else { throw .tooShort }
        let text = Self.folded(password.revealed)
        guard !isKnown(text) else { throw .known }
        guard !Self.isCommon(text) else { throw .common }
    }

    /// The text without differences of case and of compatible characters.
    private static func folded(_ text: String) -> String {
        text.precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// Whether little remains of the text without the words that others know.
    private func isKnown(_ text: String) -> Bool {
        var rest = text
        for word in knownWords where rest.contains(word) { rest = rest.replacing(word, with: " ") }
        return rest != text && Self.isLittle(rest)
    }

    /// Whether others try the text first: a password of the list, also with a few characters around it, one character
    /// or part again and again, or characters in their order.
    private static func isCommon(_ text: String) -> Bool {
        if CommonPasswords.contain(text) || isRepetition(text) || isSequence(text) { return true }
        let start = text.prefix { !$0.isLetter }
        let end = text.dropFirst(start.count).reversed().prefix { !$0.isLetter }
        let core = String(text.dropFirst(start.count).dropLast(end.count))
        return core.count >= shortestWord && isLittle(String(start) + String(end.reversed()))
            && (CommonPasswords.contain(core) || CommonPasswords.contain(spelled(core)))
    }

    /// Whether a text has few letters and digits, or common ones.
    private static func isLittle(_ text: String) -> Bool {
        let signs = text.filter { $0.isLetter || $0.isNumber }
        return signs.count < leastBeside || CommonPasswords.contain(signs)
    }

    /// The text with letters in place of the digits and signs that look like them.
    private static func spelled(_ text: String) -> String {
        String(text.map { letters[$0] ?? $0 })
    }

    private static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    /// Whether a text is one short or common part again and again.
    private static func isRepetition(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard Set(scalars).count > 2 else { return true }
        return (1...max(1, scalars.count / 2)).contains { length in
            guard scalars.count.isMultiple(of: length),
                zip(scalars, scalars.dropFirst(length)).allSatisfy({ $0 == $1 })
            else { return false }
            let part = String(String.UnicodeScalarView(scalars.prefix(length)))
            return length <= longestPart || CommonPasswords.contain(part)
        }
    }

    /// Whether each code point of a text follows the one before, upwards or downwards.
    private static func isSequence(_ text: String) -> Bool {
        let values = text.unicodeScalars.map { Int($0.value) }
        let steps = Set(zip(values.dropFirst(), values).map { $0 - $1 })
        return steps == [1] || steps == [-1]
    }
}

/// The objection to a new password.
public enum PasswordRuleError: Error, Sendable, Equatable, CaseIterable {
    /// It has fewer than ``PasswordRule/shortest`` characters.
    case tooShort
    /// It has more than ``PasswordRule/longest`` bytes.
    case tooLong
    /// It is one of the commonest passwords, or nearly.
    case common
    /// It is little more than a name or an address that others know of the person or the server.
    case known
}

/// The commonest passwords, in lower case.
enum CommonPasswords {
    private static let all: Set<Substring> = Set(
        String(decoding: PackageResources.commonPasswords_txt, as: UTF8.self).split(separator: "\n"))

    /// The number of passwords on the list.
    static var count: Int { all.count }

    /// Whether the list has a password in lower case.
    static func contain(_ text: String) -> Bool { all.contains(text[...]) }
}
