public import Countersign
public import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat

/// A key that signs what the person decides. It may be one that cannot leave the device's own hardware.
public protocol ApproverSigner: Sendable {
    /// The public half, which the server remembers at first use.
    var publicKey: ApproverKey { get }

    /// Whether the key signs only after the device has verified the person again, by a biometric or a PIN of the
    /// device, for each signature; `false` by default.
    ///
    /// Decisions of an enrolled device then say so. A false claim deceives the server, which may accept it in place of
    /// a sign-in.
    var verifiesUser: Bool { get }

    /// The signature over `bytes` by ES256.
    ///
    /// Standard: RFC 7518 §3.4.
    ///
    /// - Parameter bytes: The bytes to sign, not yet hashed.
    /// - Returns: 64 bytes: the two numbers of the signature, one after the other.
    /// - Throws: Any `Error` of the place that holds the key, as when the person does not unlock it; the decision then
    ///   ends in ``ApprovalError`` with code `keyUnusable`.
    func signature(over bytes: [UInt8]) throws -> [UInt8]
}

extension ApproverSigner {
    /// `false` by default: the key does not verify the person.
    public var verifiesUser: Bool { false }
}

/// The store of an app's keys: one for each account, on this device only.
public protocol ApproverKeyStore: Sendable {
    /// The key of `account`, made when there is none yet.
    ///
    /// The server takes one key for each sign-in of the app. So it must be stored before it is used, and go when the
    /// app is signed out.
    ///
    /// - Parameter account: The sign-in that the key belongs to.
    /// - Returns: The same key each time.
    /// - Throws: Any `Error` of the store; the decision then ends in ``ApprovalError`` with code `keyUnusable`.
    func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner
}

/// A key whose private half is in memory: 32 bytes, as secret as a password.
public struct ApproverPrivateKey: ApproverSigner {
    /// The whole key.
    private let key: P256.Signing.PrivateKey
    /// The public half, which the server remembers at first use.
    public let publicKey: ApproverKey

    /// A new key.
    ///
    /// - Parameter random: The source of its 32 secret bytes; `.system`, but in tests.
    public init(drawingFrom random: RandomSource) {
        while true {
            // Fewer than one in four billion draws is no key.
            if let made = ApproverPrivateKey(revealing: random.bytes(32)) {
                self = made
                return
            }
        }
    }

    /// A stored key; `nil` for invalid bytes.
    public init?(revealing bytes: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = ApproverKey(rawRepresentation: key.publicKey.rawRepresentation)
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// The private half, for the one place that keeps it.
    public var revealedBytes: [UInt8] { Array(key.rawRepresentation) }

    /// The signature over `bytes` by ES256.
    ///
    /// Standard: RFC 7518 §3.4.
    ///
    /// - Returns: 64 bytes.
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    public func signature(over bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: Data(bytes)).rawRepresentation)
    }
}

extension ApproverPrivateKey: Redacted {}
