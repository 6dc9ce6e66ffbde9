/// The reason that a registration or assertion of a passkey is not accepted.
///
/// Two refusals are equal when their codes are; the reason is for the log.
///
/// Standard: Web Authentication Level 3 §7.1, §7.2.
public struct PasskeyError: CodedError, CustomStringConvertible {
    /// The kinds of refusal, by the step that refuses.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A part of the message cannot be read.
        case malformed
        /// A registration came where an assertion was expected, or the other way around.
        case wrongCeremony
        /// It answers another challenge.
        case wrongChallenge
        /// It was made for a page of another origin, or in a frame of another site.
        case wrongOrigin
        /// The authenticator made it for another relying party.
        case wrongRelyingParty
        /// The authenticator did not ask for the presence of a person.
        case userAbsent
        /// The authenticator did not verify the person, as was demanded.
        case userNotVerified
        /// The key is of a kind that was not asked for, or is no key.
        case unsupportedKey
        /// The attestation is wrong, or of a form that is not accepted.
        case attestation
        /// It names an unknown credential or person.
        case wrongCredential
        /// The authenticator's statements about backups contradict each other or those before.
        case backupState
        /// The signature is wrong.
        case signature
    }

    /// The kind of the refusal.
    public let code: Code
    /// The cause, for the log; it holds no secret.
    public let reason: String

    /// A refusal with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}
