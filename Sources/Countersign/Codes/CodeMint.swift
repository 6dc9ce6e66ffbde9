/// Makes codes, tokens and identifiers; no other type does.
///
/// The values that it returns are secrets in the clear. Send each only to the party that will present it, and store its
/// ``Secret/digest``.
///
/// ```swift
/// let mint = CodeMint(drawingFrom: .system)
/// let shown = mint.userCode()                  // WDJB-MJHT
/// let kept: DeviceCode = mint.secret()         // 43 characters of base64url
/// let request: SignInRequest.ID = mint.identifier()
/// ```
public struct CodeMint: Sendable {
    private let random: RandomSource
    private let clock: TimeSource

    /// Creates a mint.
    ///
    /// - Parameters:
    ///   - random: The source of its random bytes: ``RandomSource/system`` in a program, a fixed sequence in tests.
    ///   - clock: The clock whose time begins time-ordered secrets and identifiers; the machine's own clock by default.
    public init(drawingFrom random: RandomSource, clock: TimeSource = .system) {
        self.random = random
        self.clock = clock
    }

    /// Makes a code for a person to type: eight characters of ``UserCode/alphabet``, each equally likely.
    ///
    /// A code that contains one of the listed rude words is discarded and drawn again.
    /// Standard: RFC 8628 §6.1.
    public func userCode() -> UserCode {
        // Above the greatest multiple of the alphabet's length, some characters would come more often than others.
        let fair = UInt8(256 - 256 % UserCode.alphabet.count)
        while true {
            // All in one draw, since each costs a call to the system; twice as many as are needed.
            let positions = random.bytes(2 * UserCode.length).filter { $0 < fair }.prefix(UserCode.length)
                .map { Int($0) % UserCode.alphabet.count }
            if let code = UserCode(positions: positions) { return code }
        }
    }

    /// Makes a secret of 256 random bits, written as 43 characters of base64url.
    ///
    /// - Parameter kind: The type of secret; inferred from the context by default.
    public func secret<Kind: Secret>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(revealing: URLSafeText.encode(random.bytes(32)))
    }

    /// Makes a secret of 208 random bits behind the current instant, written as 43 characters of base64url.
    ///
    /// - Parameter kind: The type of secret; inferred from the context by default.
    public func secret<Kind: TimeOrderedSecret>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(
            revealing: URLSafeText.encode(MintingInstant(clock.now()).bytes + random.bytes(32 - MintingInstant.length)))
    }

    /// Makes an identifier of 128 random bits, written as 22 characters of base64url.
    ///
    /// - Parameter kind: The type of identifier; inferred from the context by default.
    public func identifier<Kind: Identifier>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(rawValue: URLSafeText.encode(random.bytes(16)))
    }

    /// Makes an identifier of 78 random bits behind the current instant, 22 URL-safe characters.
    ///
    /// - Parameter kind: The type of identifier; inferred from the context by default.
    public func identifier<Kind: TimeOrderedIdentifier>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(rawValue: MintingInstant(clock.now()).text + URLSafeText.encode(random.bytes(10)).prefix(13))
    }

    /// Makes an identifier that is a random decimal number from 1 to 2^53 - 1.
    ///
    /// JSON readers that store numbers as 64-bit floating point keep every such number exactly.
    ///
    /// - Parameter kind: The type of identifier; inferred from the context by default.
    public func number<Kind: Identifier>(_ kind: Kind.Type = Kind.self) -> Kind {
        while true {
            let number = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 11
            if number > 0 { return Kind(rawValue: number.description) }
        }
    }

    /// Makes decimal digits, each equally likely, for a person to read and type.
    package func digits(_ count: Int) -> String {
        var digits = ""
        while digits.utf8.count < count {
            // Above 249 some digits would come more often than others.
            for byte in random.bytes(2 * count) where byte < 250 && digits.utf8.count < count {
                digits += "\(byte % 10)"
            }
        }
        return digits
    }

    /// Makes a random UUID, in small letters: 122 random bits.
    ///
    /// Standard: RFC 9562 §5.4.
    public func uuid() -> String {
        var bytes = random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = HexadecimalText.encode(bytes)
        var (text, place) = ("", digits.startIndex)
        for length in [8, 4, 4, 4, 12] {
            let end = digits.index(place, offsetBy: length)
            text += (text.isEmpty ? "" : "-") + digits[place..<end]
            place = end
        }
        return text
    }

    /// Random bytes for a key of the server itself.
    package func keyBytes(_ count: Int) -> [UInt8] { random.bytes(count) }
}
