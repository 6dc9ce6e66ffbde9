public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The server's view of an authorization request, for display to the person who decides; made by
/// ``AuthorizationAnswers`` alone.
///
/// ```swift
/// let asker = shown.isVerified ? shown.clientName.value : "\(shown.clientName.value) (not verified)"
/// ```
public struct AuthorizationDescription: Sendable, Equatable {
    /// The account that the other app would be signed in with.
    public let account: ApproverAccount.ID
    /// The person of that account, as the server calls them.
    public let accountName: String
    /// The requesting app: verified when no other app can receive its answer, asserted when any app of the device could
    /// have asked in its name.
    public let client: Fact<ClientID>
    /// The client's name at the server; as believable as the app itself, or less.
    public let clientName: Fact<String>
    /// The destination of the answer; registered with the server.
    public let destination: Fact<AnswerDestination>
    /// The rights that the app would get, in words; at most those that the server has registered for it.
    public let permissions: Fact<[AuthorizationLook.Permission]>
    /// The system's word whether the requesting app owns the destination of the answer; observed on this device.
    public let caller: Fact<RedirectOwnership>
    /// Whether this person allowed that app all of it before.
    public let isAllowedBefore: Bool
    /// The deadline for the decision, by the server's clock.
    public let deadline: Date

    /// Whether no other app can have asked in the name of this one. Otherwise the person must be informed.
    public var isVerified: Bool { client.provenance == .verified }

    /// The authorization from a look.
    ///
    /// - Parameters:
    ///   - look: The server's answer to the look.
    ///   - account: The account that looked.
    ///   - destination: The destination of the answer.
    ///   - caller: The system's word about the requesting app.
    ///   - isAssured: Whether only the registered app can get the answer.
    init(
        _ look: ApproverLook<AuthorizationLook>,
        at account: ApproverAccount.ID,
        destination: AnswerDestination,
        caller: RedirectOwnership,
        isAssured: Bool
    ) {
        self.account = account
        accountName = look.accountName
        client = isAssured ? look.client : .asserted(look.client.value)
        clientName = isAssured ? look.clientName : .asserted(look.clientName.value)
        self.destination = .verified(destination)
        permissions = .verified(look.details.permissions)
        self.caller = .observed(caller)
        isAllowedBefore = look.details.isAllowedBefore
        deadline = Date(named: look.expires)
    }
}
