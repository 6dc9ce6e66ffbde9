/// The secret that an authenticator and a server compute the same one-time passwords from ("seed").
///
/// It prints as redacted, compares in constant time and is not `Codable`.
/// Standard: RFC 4226 §4, R6: 128 bits at least, 160 recommended.
public struct SharedSecret: Sendable, Equatable {
    /// The allowed sizes of a generated or stored secret, in bytes.
    public static let lengths = 16...128
    /// The possible sizes of the secret of a link, in bytes: others made it, and their format's own example has ten.
    static let linkedLengths = 10...128

    /// The bytes of the secret in the clear.
    package let bytes: [UInt8]

    /// Takes over the bytes of a secret; `nil` unless there are 16 to 128 of them.
    ///
    /// - Parameter bytes: The key of the HMAC.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads a secret as base32, typed or from a link: in any case, with or without spaces and padding.
    ///
    /// - Parameter text: The text; `nil` is returned for one that is no base32, and for fewer than 16 or more than 128
    ///   bytes.
    public init?(parsing text: String) { self.init(parsing: text, within: Self.lengths) }

    /// Reads the secret of a link, which may be shorter than a generated one.
    ///
    /// - Parameter text: The text; `nil` is returned for one that is no base32, and for fewer than 10 or more than 128
    ///   bytes.
    init?(parsingLinked text: String) { self.init(parsing: text, within: Self.linkedLengths) }

    private init?(parsing text: String, within lengths: ClosedRange<Int>) {
        guard text.utf8.count <= 512, let bytes = Base32.decode(text), lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Makes a secret of 160 random bits, the length that most authenticators expect.
    ///
    /// - Parameter random: The source of the bytes.
    public init(drawingFrom random: RandomSource) { bytes = random.bytes(20) }

    /// The secret in the clear as base32 without padding, for the one page that shows it to its owner.
    public var revealed: String { Base32.encode(bytes, padded: false) }

    /// Compares in constant time: every byte is compared whatever the first difference is.
    public static func == (left: SharedSecret, right: SharedSecret) -> Bool {
        ConstantTime.areSame(left.bytes, right.bytes)
    }
}

extension SharedSecret: Redacted {}
