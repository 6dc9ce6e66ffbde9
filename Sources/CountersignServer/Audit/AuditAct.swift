public import Countersign

/// What is worth an entry: decisions, and changes of who may do what. Traffic is counted by metrics instead.
public struct AuditAct: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    // A request for sign-in, step by step. It begins when a person takes it: anybody can ask for any number of them.
    public static let taken = AuditAct("sign_in.taken")
    public static let approved = AuditAct("sign_in.approved")
    public static let denied = AuditAct("sign_in.denied")
    public static let withdrawn = AuditAct("sign_in.withdrawn")
    /// The screen that asked for the tokens was not at the other end of the link over which it was approved.
    public static let otherLink = AuditAct("sign_in.other_link")
    public static let signedIn = AuditAct("sign_in.redeemed")

    // What was signed in ends.
    public static let signedOut = AuditAct("sign_in.ended")
    public static let tokenRevoked = AuditAct("access_token.revoked")
    public static let refreshTokenReused = AuditAct("refresh_token.reused")

    // People at their browsers.
    public static let loggedIn = AuditAct("browser.signed_in")
    public static let loginFailed = AuditAct("browser.refused")
    public static let loggedOut = AuditAct("browser.signed_out")

    /// A limit was reached; one entry for each span of time, however often it was met after that.
    public static let limitReached = AuditAct("limit.reached")

    // What an operator changes.
    public static let personAdded = AuditAct("person.added")
    public static let personLocked = AuditAct("person.locked")
    public static let personUnlocked = AuditAct("person.unlocked")
    public static let personRemoved = AuditAct("person.removed")
    public static let personMadeAdministrator = AuditAct("person.made_administrator")
    public static let personUnmadeAdministrator = AuditAct("person.unmade_administrator")
    public static let passwordChanged = AuditAct("person.password_changed")
    public static let clientAdded = AuditAct("client.added")
    public static let clientRemoved = AuditAct("client.removed")
    public static let domainAdded = AuditAct("domain.added")
    public static let domainChanged = AuditAct("domain.changed")
    public static let domainCredentialRenewed = AuditAct("domain.credential_renewed")
    public static let domainRemoved = AuditAct("domain.removed")
    public static let keyAdded = AuditAct("key.added")
    public static let keyRetired = AuditAct("key.retired")
    public static let keyRemoved = AuditAct("key.removed")
}

/// Who did it.
public enum AuditActor: String, Sendable, CaseIterable {
    /// The person whom the entry names, signed in at a browser.
    case person
    /// The client that the entry names.
    case client
    /// Whoever may run the command on the server's own machine.
    case `operator`
    /// The server by itself.
    case server
    /// Somebody who did not show who they are.
    case stranger
}
