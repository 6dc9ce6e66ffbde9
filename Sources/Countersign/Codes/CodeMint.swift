/// The one place that makes codes, tokens and identifiers.
///
/// Whatever it returns in the clear goes to the party that will present it, and to nobody else.
public struct CodeMint: Sendable {
    private let random: RandomSource

    /// A mint that draws from `random`.
    public init(drawingFrom random: RandomSource) {
        self.random = random
    }

    /// A new code for a person to type; it never holds a rude word.
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

    /// A new secret of 256 bits, as 43 characters of base64url.
    public func secret<Kind: Secret>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(revealing: URLSafeText.encode(random.bytes(32)))
    }

    /// A new identifier of 128 bits, as 22 characters of base64url.
    public func identifier<Kind: Identifier>(_ kind: Kind.Type = Kind.self) -> Kind {
        Kind(rawValue: URLSafeText.encode(random.bytes(16)))
    }

    /// A new identifier that is a decimal number from 1 to 2^53 - 1, which every reader of JSON keeps exactly.
    public func number<Kind: Identifier>(_ kind: Kind.Type = Kind.self) -> Kind {
        while true {
            let number = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 11
            if number > 0 { return Kind(rawValue: number.description) }
        }
    }

    /// Random bytes for a key of the server itself.
    package func keyBytes(_ count: Int) -> [UInt8] {
        random.bytes(count)
    }
}
