internal import Crypto

/// A new passkey as a browser sent it, before any of it is trusted.
///
/// Standard: Web Authentication Level 3 §7.1.
public struct UnverifiedRegistration: Sendable {
    private let id: CredentialID
    private let clientBytes: [UInt8]
    private let client: CollectedClientData
    private let object: AttestationObject
    private let transports: [String]

    /// Reads the JSON that `PublicKeyCredential.toJSON()` makes of an answer to `navigator.credentials.create()`.
    ///
    /// - Parameter json: The JSON, in UTF-8.
    /// - Throws: ``PasskeyError`` when a part of it cannot be read.
    public init(json: some Collection<UInt8>) throws(PasskeyError) {
        let read = try CredentialJSON.read(json)
        id = try read.credentialID()
        clientBytes = try CredentialJSON.bytes(read.response.clientDataJSON, "clientDataJSON")
        client = try CollectedClientData(parsing: clientBytes)
        object = try AttestationObject(
            parsing: CredentialJSON.bytes(read.response.attestationObject, "attestationObject"))
        // They are hints for later, so that odd ones are omitted.
        transports = (read.response.transports ?? []).compactMap(\.self).filter { name in
            (1...32).contains(name.utf8.count)
                && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// The challenge that the browser claims to answer, to look up the pending ceremony.
    public var challenge: CeremonyChallenge { client.challenge }

    /// Verifies the registration.
    ///
    /// No attestation is requested, so statements other than `none` and `packed` (self) are not read or relied on.
    ///
    /// - Parameters:
    ///   - party: The relying party that asked.
    ///   - challenge: The challenge that it gave.
    ///   - user: The person that it asked for.
    ///   - userVerification: Whether the authenticator had to verify the person; required by default.
    ///   - acceptingUnreadAttestation: Whether a passkey is accepted whose statement is not read, as one that is not
    ///     attested. Most browsers remove such statements if no attestation is requested; some software sends them
    ///     anyway. `false` by default.
    /// - Returns: The passkey, which is to be stored unless another person has one of the same name.
    /// - Throws: ``PasskeyError``, the first that is found.
    public func verified(
        for party: RelyingParty,
        answering challenge: CeremonyChallenge,
        of user: UserHandle,
        userVerification: UserVerification = .required,
        acceptingUnreadAttestation: Bool = false
    ) throws(PasskeyError) -> VerifiedRegistration {
        let data = object.authenticatorData
        try party.examine(
            client, data, type: "webauthn.create", challenge: challenge, userVerification: userVerification)
        guard let credential = data.credential else {
            throw PasskeyError(.malformed, because: "a registration without a credential")
        }
        guard credential.id == id else { throw PasskeyError(.wrongCredential, because: "two names") }
        let attestation = try object.attestation(
            of: credential,
            clientDataDigest: Array(SHA256.hash(data: clientBytes)),
            acceptingOthers: acceptingUnreadAttestation
        )
        let passkey = Passkey(
            id: credential.id,
            key: credential.key,
            userHandle: user,
            isBackupEligible: data.flags.contains(.backupEligible),
            counter: data.counter,
            isBackedUp: data.flags.contains(.backedUp),
            transports: Array(transports.prefix(8))
        )
        return VerifiedRegistration(
            passkey: passkey, attestation: attestation, isUserVerified: data.flags.contains(.userVerified))
    }
}

/// A new passkey that was verified.
public struct VerifiedRegistration: Sendable, Equatable {
    /// The passkey, to be stored.
    public let passkey: Passkey
    /// The authenticator's statement about itself.
    public let attestation: Attestation
    /// Whether the authenticator verified the person.
    public let isUserVerified: Bool

    fileprivate init(passkey: Passkey, attestation: Attestation, isUserVerified: Bool) {
        self.passkey = passkey
        self.attestation = attestation
        self.isUserVerified = isUserVerified
    }
}
