/// The data of an authenticator about a ceremony; its signature covers these bytes.
///
/// Standard: Web Authentication Level 3 §6.1.
public struct AuthenticatorData: Sendable, Equatable {
    /// The acts and properties of the authenticator.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits in the data.
        public let rawValue: UInt8
        /// Creates flags from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A person was present (UP).
        public static let userPresent = Flags(rawValue: 0x01)
        /// The person was verified, by a PIN or a biometric (UV).
        public static let userVerified = Flags(rawValue: 0x04)
        /// The key may be backed up or synchronised (BE).
        public static let backupEligible = Flags(rawValue: 0x08)
        /// The key is backed up (BS).
        public static let backedUp = Flags(rawValue: 0x10)
        /// A new credential follows (AT).
        static let attested = Flags(rawValue: 0x40)
        /// Extensions follow (ED).
        static let extended = Flags(rawValue: 0x80)
    }

    /// A new credential.
    public struct Credential: Sendable, Equatable {
        /// The model of the authenticator; zeros if it is not disclosed (`aaguid`).
        public let model: [UInt8]
        /// The name of the credential.
        public let id: CredentialID
        /// Its public key.
        public let key: COSEKey
    }

    /// The SHA-256 digest of the relying party's identifier.
    public let relyingPartyDigest: [UInt8]
    /// The acts and properties of the authenticator.
    public let flags: Flags
    /// The signature count of the key; 0 from authenticators that do not count.
    public let counter: UInt32
    /// The new credential, in a registration.
    public let credential: Credential?
    /// The answers to extensions, by their names.
    package let extensions: [String: CBORValue]

    /// The most bytes that are read.
    static let longest = 16_384

    /// Reads the data.
    ///
    /// - Parameter bytes: The whole; excess bytes are refused.
    /// - Throws: ``PasskeyError`` `malformed`, or `unsupportedKey` for an unsupported key, or `backupState` for a key
    ///   that is backed up although it never may be.
    public init(parsing bytes: [UInt8]) throws(PasskeyError) {
        guard (37...Self.longest).contains(bytes.count) else {
            throw PasskeyError(.malformed, because: "authenticator data of \(bytes.count) bytes")
        }
        relyingPartyDigest = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        credential = flags.contains(.attested) ? try Self.credential(&rest) : nil
        extensions = flags.contains(.extended) ? try Self.extensions(&rest) : [:]
        guard rest.isEmpty else { throw PasskeyError(.malformed, because: "bytes after the authenticator data") }
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else {
            throw PasskeyError(.backupState, because: "backed up, yet not eligible")
        }
    }

    /// Standard: Web Authentication Level 3 §6.5.1.
    private static func credential(_ rest: inout ArraySlice<UInt8>) throws(PasskeyError) -> Credential {
        guard rest.count >= 18 else { throw PasskeyError(.malformed, because: "no room for a credential") }
        let model = Array(rest.prefix(16))
        let length = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(18)
        guard rest.count >= length, let id = CredentialID(bytes: rest.prefix(length)) else {
            throw PasskeyError(.malformed, because: "a credential's name of \(length) bytes")
        }
        rest = rest.dropFirst(length)
        let (value, bytes) = try take(&rest)
        return Credential(model: model, id: id, key: try COSEKey(value, bytes: bytes))
    }

    private static func extensions(_ rest: inout ArraySlice<UInt8>) throws(PasskeyError) -> [String: CBORValue] {
        var extensions: [String: CBORValue] = [:]
        guard let members = try take(&rest).value.members else {
            throw PasskeyError(.malformed, because: "extensions are no map")
        }
        for member in members {
            guard let name = member.name.text else {
                throw PasskeyError(.malformed, because: "an extension has no name")
            }
            extensions[name] = member.value
        }
        return extensions
    }

    private static func take(
        _ rest: inout ArraySlice<UInt8>
    ) throws(PasskeyError) -> (value: CBORValue, bytes: [UInt8]) {
        do throws(CBORError) {
            let (value, count) = try CBORReader.prefix(of: rest)
            defer { rest = rest.dropFirst(count) }
            return (value, Array(rest.prefix(count)))
        } catch {
            throw PasskeyError(.malformed, because: "authenticator data: \(error)")
        }
    }
}
