internal import Crypto

/// The answer of a passkey as a browser sent it, before any of it is trusted.
///
/// ```swift
/// let unverified = try UnverifiedAssertion(json: body)
/// guard let passkey = known[unverified.credential] else { return nil }
/// switch try unverified.verified(by: passkey, for: party, answering: challenge) {
/// case .accepted(let assertion): known[passkey.id] = assertion.passkey
/// case .counterWentBack: return nil
/// }
/// ```
///
/// Standard: Web Authentication Level 3 §7.2.
public struct UnverifiedAssertion: Sendable {
    /// The passkey that claims to have signed.
    public let credential: CredentialID
    /// The person that it claims to belong to; `nil` if unknown.
    public let userHandle: UserHandle?
    private let clientBytes: [UInt8]
    private let client: CollectedClientData
    private let authenticatorBytes: [UInt8]
    private let authenticator: AuthenticatorData
    private let signature: [UInt8]

    /// Reads the JSON that `PublicKeyCredential.toJSON()` makes of an answer to `navigator.credentials.get()`.
    ///
    /// - Parameter json: The JSON, in UTF-8.
    /// - Throws: ``PasskeyError`` when a part of it cannot be read.
    public init(json: some Collection<UInt8>) throws(PasskeyError) {
        let read = try CredentialJSON.read(json)
        credential = try read.credentialID()
        clientBytes = try CredentialJSON.bytes(read.response.clientDataJSON, "clientDataJSON")
        client = try CollectedClientData(parsing: clientBytes)
        authenticatorBytes = try CredentialJSON.bytes(read.response.authenticatorData, "authenticatorData")
        authenticator = try AuthenticatorData(parsing: authenticatorBytes)
        signature = try CredentialJSON.bytes(read.response.signature, "signature")
        switch read.response.userHandle {
        case nil, "": userHandle = nil
        case let text?:
            guard let handle = UserHandle(parsing: text) else {
                throw PasskeyError(.malformed, because: "no user handle")
            }
            userHandle = handle
        }
    }

    /// The challenge that the browser claims to answer, to look up the pending ceremony.
    public var challenge: CeremonyChallenge { client.challenge }

    /// Verifies the assertion.
    ///
    /// - Parameters:
    ///   - passkey: The registered passkey of ``credential``.
    ///   - party: The relying party that asked.
    ///   - challenge: The challenge that it gave.
    ///   - userVerification: Whether the authenticator had to verify the person; required by default.
    /// A key that may be synchronised has a counter in each of its copies, so that a lower one proves nothing there:
    /// the assertion is accepted with this flag.
    ///
    /// - Returns: ``AssertionOutcome/accepted(_:)``, or the alarm that the counter of a key that has no copies did not
    ///   rise.
    /// - Throws: ``PasskeyError``, the first that is found.
    public func verified(
        by passkey: Passkey,
        for party: RelyingParty,
        answering challenge: CeremonyChallenge,
        userVerification: UserVerification = .required
    ) throws(PasskeyError) -> AssertionOutcome {
        guard credential == passkey.id, userHandle == nil || userHandle == passkey.userHandle else {
            throw PasskeyError(.wrongCredential, because: "another credential or another person")
        }
        try party.examine(
            client, authenticator, type: "webauthn.get", challenge: challenge, userVerification: userVerification)
        guard authenticator.flags.contains(.backupEligible) == passkey.isBackupEligible else {
            throw PasskeyError(.backupState, because: "the eligibility for backups has changed")
        }
        guard passkey.key.verifies(signature, over: authenticatorBytes + Array(SHA256.hash(data: clientBytes))) else {
            throw PasskeyError(.signature, because: "the signature is wrong")
        }
        // Standard: Web Authentication Level 3 §6.1.1, §7.2 step 22.
        let counts = authenticator.counter != 0 || passkey.counter != 0
        let wentBack = counts && authenticator.counter <= passkey.counter
        guard !wentBack || passkey.isBackupEligible else {
            return .counterWentBack(from: passkey.counter, to: authenticator.counter)
        }
        var seen = passkey
        seen.counter = authenticator.counter
        seen.isBackedUp = authenticator.flags.contains(.backedUp)
        return .accepted(
            VerifiedAssertion(
                passkey: seen,
                isUserVerified: authenticator.flags.contains(.userVerified),
                earlierCounter: wentBack ? passkey.counter : nil
            ))
    }
}

/// The outcome of an assertion whose signature is right.
public enum AssertionOutcome: Sendable, Equatable {
    /// It is accepted.
    case accepted(VerifiedAssertion)
    /// It is not accepted: the authenticator's counter is not above the last one that was seen, though its key is never
    /// copied, so there may be two copies of it. The operator should investigate.
    case counterWentBack(from: UInt32, to: UInt32)
}

/// An assertion that was verified.
public struct VerifiedAssertion: Sendable, Equatable {
    /// The passkey with its new counter and backup state, to be stored.
    public let passkey: Passkey
    /// Whether the authenticator verified the person, by a PIN or a biometric.
    public let isUserVerified: Bool
    /// The counter that was seen before, where the one of this assertion is not above it and the key may be
    /// synchronised; `nil` otherwise.
    public let earlierCounter: UInt32?

    fileprivate init(passkey: Passkey, isUserVerified: Bool, earlierCounter: UInt32?) {
        self.passkey = passkey
        self.isUserVerified = isUserVerified
        self.earlierCounter = earlierCounter
    }
}
