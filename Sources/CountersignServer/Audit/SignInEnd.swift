/// The reason of the end of a sign-in, which decides its audit entry and the notice to its client.
enum SignInEnd: Sendable, Equatable {
    /// A sign-out by a person or an operator, or a new sign-in of the client.
    case asked(by: AuditActor, detail: String? = nil)
    /// A revocation by its client, which needs no notice.
    case revokedByClient
    /// The same within the time to undo: the person at the screen takes the sign-in back.
    case undoneAtScreen
    /// The reuse of a single-use credential, which the act names.
    case reused(AuditAct)
    /// The end of all sign-ins of a person, a client or a domain, or undelivered tokens; the audit has a separate
    /// entry.
    case recordedOtherwise

    /// Whether its client ended it, and needs no notice.
    var isByClient: Bool { self == .revokedByClient || self == .undoneAtScreen }
}
