internal import Crypto
internal import FoundationEssentialsCompat

/// Creates and verifies the nonces for token exchange without storing them: a time and a random number with a code
/// under a shared key. ``SubjectTokenUse`` enforces single use.
struct TokenExchangeNonces: Sendable {
    /// The lifetime of a nonce in seconds, with time for a sign-in at the other provider.
    static let lifetime: TimeInterval = 600
    /// The maximum difference between the clocks of two nodes, in seconds.
    static let leeway: TimeInterval = 30

    private static let numberLength = 16
    private static let codeLength = 16

    private let key: SymmetricKey

    /// Derives the key of nonces from another key.
    init(derivedFrom key: SymmetricKey) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("countersign exchange nonce".utf8), outputByteCount: 32)
    }

    /// A nonce for one exchange by a client.
    func nonce(for client: ClientID, drawnFrom random: RandomSource, at now: Date) -> SubjectTokenNonce {
        let seconds = UInt64(max(0, now.timeIntervalSince1970))
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> $0) }
        let statement = time + random.bytes(Self.numberLength)
        return SubjectTokenNonce(revealing: URLSafeText.encode(statement + code(of: statement, for: client)))
    }

    /// Whether this server issued a nonce to a client, within its lifetime.
    func isGiven(_ nonce: SubjectTokenNonce, to client: ClientID, at now: Date) -> Bool {
        guard let bytes = URLSafeText.decode(nonce.revealed), bytes.count == 8 + Self.numberLength + Self.codeLength
        else { return false }
        let statement = Array(bytes.prefix(8 + Self.numberLength))
        guard ConstantTime.areSame(code(of: statement, for: client), Array(bytes.suffix(Self.codeLength))) else {
            return false
        }
        let seconds = statement.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let age = now.timeIntervalSince1970 - TimeInterval(seconds)
        return age >= -Self.leeway && age <= Self.lifetime
    }

    /// The fixed length of the statement separates it from the client.
    private func code(of statement: [UInt8], for client: ClientID) -> [UInt8] {
        let covered = statement + Array(client.rawValue.utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: covered, using: key).prefix(Self.codeLength))
    }
}
