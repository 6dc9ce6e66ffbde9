/// A code that a person has written down in case their authenticator is lost; each is accepted once.
///
/// 16 characters of a 32-character alphabet, 80 random bits, shown in four groups: `7KQM-2XWD-…`. The limits on guesses
/// keep them safe where they are asked for; their digests also hold the name of the person, so that an attacker who
/// stole them must try the codes of each person separately.
public struct RecoveryCode: Secret {
    /// The characters of a code: digits and capital letters without I, L, O and U.
    ///
    /// Standard: the alphabet is that of Crockford's base 32.
    package static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// The number of characters of a code, without dashes.
    package static let length = 16

    /// The 16 characters, upper-case, without dashes.
    public let revealed: String
    public init(revealing text: String) { revealed = text }

    /// Reads a code as a person typed it.
    ///
    /// Upper and lower case count alike; spaces, dashes and characters of no width are ignored; `O` is read as 0, `I`
    /// and `L` as 1.
    ///
    /// - Parameter text: The typed text; `nil` is returned for anything that is no code.
    public init?(parsing text: String) {
        guard text.unicodeScalars.count <= TypedText.longest else { return nil }
        var read = ""
        for character in TypedText.folded(text).uppercased() {
            switch character {
            case "O": read.append("0")
            case "I", "L": read.append("1")
            case _ where Self.alphabet.contains(character): read.append(character)
            default: return nil
            }
        }
        guard read.count == Self.length else { return nil }
        revealed = read
    }

    /// Makes a code.
    ///
    /// - Parameter random: The source of its bits.
    public init(drawingFrom random: RandomSource) {
        // 32 divides 256, so that every character is equally likely.
        revealed = String(random.bytes(Self.length).map { Self.alphabet[Int($0) % Self.alphabet.count] })
    }

    /// The code as a page shows it, in four groups with dashes between them.
    public var grouped: String {
        stride(from: 0, to: revealed.count, by: 4)
            .map { String(revealed.dropFirst($0).prefix(4)) }
            .joined(separator: "-")
    }

    /// Returns the digest that is stored for the code of one person.
    ///
    /// - Parameter subject: The person that the code was given to.
    public func digest(for subject: Subject) -> SecretDigest { SecretDigest(of: "\(subject.rawValue)\n\(revealed)") }
}
