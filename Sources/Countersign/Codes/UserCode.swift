/// The short code that a screen shows and a person types elsewhere.
///
/// It has eight of twenty consonants, which is 34 bits: no vowels, so that it spells no word, and no similar
/// characters. It identifies a request and is no secret; it may be part of a link. The server limits guessing.
///
/// ```swift
/// let code = UserCode(parsing: " wdjb mjht ")
/// let shown = code?.description               // "WDJB-MJHT"
/// let stored = code?.characters               // "WDJBMJHT"
/// ```
///
/// Standard: RFC 8628 §6.1.
public struct UserCode: Sendable, Hashable, CustomStringConvertible {
    /// The characters that a code is made of.
    public static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")
    /// The number of characters of a code, without the dash.
    public static let length = 8

    /// The eight characters, upper-case, without a dash.
    public let characters: String

    /// The form that a screen shows, `WDJB-MJHT`.
    public var description: String { "\(characters.prefix(Self.length / 2))-\(characters.suffix(Self.length / 2))" }

    /// Reads a code as a person typed it.
    ///
    /// Upper and lower case count alike. White space, dashes, underscores, dots and characters of no width are ignored,
    /// and letters of another width are read as usual ones.
    ///
    /// - Parameter text: The text as it was typed, at most 128 Unicode scalars.
    /// - Returns: `nil` when anything but eight characters of ``alphabet`` is left.
    public init?(parsing text: String) {
        guard text.unicodeScalars.count <= TypedText.longest else { return nil }
        var read: [Character] = []
        for character in TypedText.folded(text, skipping: "_.") {
            guard character.isASCII, let upper = character.uppercased().first, Self.alphabet.contains(upper) else {
                return nil
            }
            read.append(upper)
        }
        guard read.count == Self.length else { return nil }
        characters = String(read)
    }

    /// A code made of these positions in the alphabet; `nil` if the characters contain an unwanted word.
    init?(positions: [Int]) {
        guard positions.count == Self.length else { return nil }
        let text = String(positions.map { Self.alphabet[$0] })
        guard !UnwantedWords.occur(in: text) else { return nil }
        characters = text
    }
}
