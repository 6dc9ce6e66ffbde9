internal import Foundation

/// The allowed characters of an identifier.
///
/// Standard: RFC 8264 §4.2 (IdentifierClass), §9; RFC 5892 appendix A (rules of context); RFC 5893 §2 (direction).
enum PrecisIdentifier {
    /// Whether a text that is mapped and composed is an identifier.
    static func isValid(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        // A mark belongs to the letter before it.
        guard let first = scalars.first, !isMark(first) else { return false }
        for place in scalars.indices where !isValid(scalars[place]) {
            guard isValidInContext(place, of: scalars) else { return false }
        }
        return text.split(separator: "@").allSatisfy { hasOneDirection(Array($0.unicodeScalars)) }
    }

    /// Letters, their marks, decimal digits, and the visible characters of ASCII.
    private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) }
        switch scalar.value {
        // Standard: RFC 5892 §2.6 (exceptions).
        case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: return true
        // The vowels AM of Thai and Lao, which are one key on keyboards; the standard requires them in two parts.
        case 0x0E33, 0x0EB3: return true
        case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Arabic digits of two kinds are not mixed, by a contextual rule.
        case 0x0660...0x0669, 0x06F0...0x06F9: return false
        // Old Hangul Jamo.
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return false
        default: break
        }
        guard !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isNoncharacterCodePoint else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            // One with a compatibility form only looks like another.
            return String(scalar).precomposedStringWithCompatibilityMapping.unicodeScalars.elementsEqual([scalar])
        default: return false
        }
    }

    /// Standard: RFC 5892 appendix A. Joiners are allowed between letters of Arabic script, whose joining types are not
    /// looked up one by one.
    private static func isValidInContext(_ place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        let before = place > 0 ? scalars[place - 1] : nil
        let after = place + 1 < scalars.count ? scalars[place + 1] : nil
        let all = { (range: ClosedRange<UInt32>) in scalars.allSatisfy { !range.contains($0.value) } }
        switch scalars[place].value {
        case 0x200C, 0x200D:
            if before?.properties.canonicalCombiningClass == .virama { return true }
            return scalars[place].value == 0x200C && isArabicLetter(before) && isArabicLetter(after)
        case 0x00B7: return before == "l" && after == "l"
        case 0x0375: return after.map { (0x0370...0x03FF).contains($0.value) } ?? false
        case 0x05F3, 0x05F4: return before.map { (0x05D0...0x05EA).contains($0.value) } ?? false
        case 0x30FB: return scalars.contains(where: isJapaneseLetter)
        case 0x0660...0x0669: return all(0x06F0...0x06F9)
        case 0x06F0...0x06F9: return all(0x0660...0x0669)
        default: return false
        }
    }

    private static func isArabicLetter(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return (0x0620...0x06FF).contains(scalar.value) && scalar.properties.isAlphabetic
    }

    private static func isJapaneseLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether a part of a name does not mix letters that run in two directions, which people could not distinguish
    /// from another order.
    ///
    /// Standard: RFC 5893 §2. The direction is that of the block: Swift does not expose it for a character.
    private static func hasOneDirection(_ part: [Unicode.Scalar]) -> Bool {
        guard part.contains(where: isRightToLeft) else { return true }
        guard let first = part.first, isRightToLeft(first), let last = part.last(where: { !isMark($0) }) else {
            return false
        }
        let mixes = part.contains { $0.properties.isAlphabetic && !isMark($0) && !isRightToLeft($0) }
        let digits = part.contains { $0.isASCII && $0.properties.numericType != nil }
        let arabicDigits = part.contains { (0x0660...0x0669).contains($0.value) }
        return !mixes && !(digits && arabicDigits) && (isRightToLeft(last) || last.properties.numericType != nil)
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.numericType == nil, !isMark(scalar) else { return false }
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }
}
