internal import Foundation

/// The colour of an operator for buttons and links.
///
/// Text on it is black or white, for the better contrast. Links and outlines have a darkened or, in dark mode,
/// lightened variant.
/// Standard: Web Content Accessibility Guidelines 2.2 §1.4.3, §1.4.11, and its definition of relative luminance.
public struct AccentColor: Sendable, Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads a colour.
    public init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(digits, radix: 16)
        else { return nil }
        self.init(red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
    }

    /// `#` and six hexadecimal digits in small letters.
    public var text: String {
        "#" + [red, green, blue].map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }

    /// The luminance, from 0 for black to 1 for white.
    var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast with another colour, from 1 to 21.
    func contrast(with other: AccentColor) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    static let black = AccentColor(red: 0, green: 0, blue: 0)
    static let white = AccentColor(red: 255, green: 255, blue: 255)

    /// Black or white, whichever is more legible on it; the contrast is 4.5 at least.
    var ink: AccentColor {
        contrast(with: .black) > contrast(with: .white) ? .black : .white
    }

    /// The mixture with `other`; `share` is the part of `other`, from 0 to 1.
    func mixed(with other: AccentColor, _ share: Double) -> AccentColor {
        func mix(_ mine: UInt8, _ its: UInt8) -> UInt8 {
            UInt8(((1 - share) * Double(mine) + share * Double(its)).rounded())
        }
        return AccentColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The nearest colour on the way to `end` that has at least this contrast with `ground`.
    func legible(on ground: AccentColor, atLeast contrast: Double, towards end: AccentColor) -> AccentColor {
        let steps = (0...20).lazy.map { mixed(with: end, Double($0) / 20) }
        return steps.first { $0.contrast(with: ground) >= contrast } ?? end
    }
}

extension AccentColor {
    /// The background colours of the style sheet, light and dark.
    private static let sheet = AccentColor(red: 0xFF, green: 0xFD, blue: 0xF9)
    private static let darkSheet = AccentColor(red: 0x18, green: 0x20, blue: 0x29)
    private static let darkTint = AccentColor(red: 0x1F, green: 0x28, blue: 0x32)
    private static let paper = AccentColor(red: 0xF4, green: 0xF1, blue: 0xEA)

    /// The styles with this colour, which follow the style sheet.
    var styles: String {
        // In dark mode a dark button would be invisible.
        let night = legible(on: Self.darkSheet, atLeast: 3, towards: .white)
        return """

            /* The operator's colour */

            :root { \(variables(link: legible(on: Self.paper, atLeast: 4.5, towards: .black), edge: Self.sheet)) }
            @media (prefers-color-scheme: dark) {
              :root { \(night.variables(link: legible(on: Self.darkTint, atLeast: 4.5, towards: .white), edge: Self.darkSheet)) }
            }

            """
    }

    /// - Parameters:
    ///   - link: The variant for text on the background of the page.
    ///   - edge: The background of its buttons, which have a border if the contrast is low.
    private func variables(link: AccentColor, edge ground: AccentColor) -> String {
        let ink = ink
        // Away from the colour of its text, for the contrast.
        let over = mixed(with: ink == .white ? .black : .white, 0.15)
        let edge = contrast(with: ground) < 3 ? link.text : "transparent"
        return """
            --go: \(text); --go-over: \(over.text); --go-ink: \(ink.text); --go-edge: \(edge); \
            --outline: \(link.text); --link: \(link.text);
            """
    }
}
