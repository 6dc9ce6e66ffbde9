internal import Countersign

/// The reason why a sign-in ends, which decides what the audit says of it and whether its client is told.
enum SignInEnd: Sendable, Equatable {
    /// A person or an operator asks for it, or the client is signed in anew.
    case asked(by: AuditActor, detail: String? = nil)
    /// Its client revoked it, and need not be told.
    case revokedByClient
    /// Something that is good once was used again, as the act says.
    case reused(AuditAct)
    /// All sign-ins of a person, a client or a domain end, or its tokens never reached the client; the audit has an
    /// entry of its own for that.
    case recordedOtherwise
}
