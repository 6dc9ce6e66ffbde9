public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The server's view of a request, for display to the person who decides; made by ``NearbyApprovals`` and
/// ``Authenticator`` alone.
///
/// It is the only thing that can be decided upon. The facts that only a request has that was found like this, such as
/// `kind` and `pin` of one in the inbox, are members of it, too. A screen's statements about itself over the link are
/// not in it, and belong below it, as unverified.
@dynamicMemberLookup
public struct RequestDescription<Details: LookDetails>: Sendable, Equatable, Identifiable, Redacted {
    /// The account that the other side would be signed in with.
    public let account: ApproverAccount.ID
    /// The server's facts, with the one-time nonce that a decision must contain.
    let look: ApproverLook<Details>
    /// The digest of exactly what the server answered, which the decision signs.
    let digest: AnswerDigest

    /// The request from the server's answer to a look.
    init(_ look: ApproverLook<Details>, at account: ApproverAccount.ID, digest: AnswerDigest) {
        self.account = account
        self.look = look
        self.digest = digest
    }

    /// The request.
    public var id: SignInRequest.ID { look.exchange }
    /// The person of the account, as the server calls them.
    public var accountName: String { look.accountName }
    /// The client that asks: verified when it proved itself, asserted when any program could have named it.
    public var client: Fact<ClientID> { look.client }
    /// The client's name at the server.
    public var clientName: Fact<String> { look.clientName }
    /// The requested scope.
    public var scope: Fact<Scope> { .verified(look.scope) }
    /// The time of the request, by the server's clock.
    public var asked: Fact<Date> { .observed(Date(named: look.asked)) }
    /// The deadline for the decision, by the server's clock.
    public var deadline: Date { Date(named: look.expires) }

    /// A fact that only such a request has.
    ///
    /// - Parameter member: The fact.
    public subscript<Value>(dynamicMember member: KeyPath<Details, Value>) -> Value { look.details[keyPath: member] }
}

/// The request of a screen nearby.
public typealias NearbyRequestDescription = RequestDescription<NearbyLook>

/// A request in the inbox of a device.
public typealias InboxRequestDescription = RequestDescription<InboxLook>

extension RequestDescription<NearbyLook> {
    /// The network address of the screen; `nil` if the server could not see that.
    public var address: Fact<String>? { look.details.address.map { .observed($0) } }
    /// Whether the server sees the screen and this phone in the same network.
    public var sameNetwork: Fact<SameNetwork> { .observed(look.details.sameNetwork) }

    /// Whether the person has to type the digits of the screen before they can approve on the strength of `proof`.
    ///
    /// - Parameter proof: The proof that this phone has of the screen. A pairing is enough only where the server sees
    ///   both in one network.
    public func needsDigits(besides proof: NearbyProof) -> Bool {
        !Evidence([.nearby(how: proof, sameNetwork: sameNetwork.value)]).isNearby
    }
}

extension RequestDescription<InboxLook> {
    /// The message that the other screen shows too, by the requesting party; `nil` for none.
    public var message: Fact<String>? { look.details.message.map { .asserted($0) } }
    /// The address of the person who signs in, asserted by the requesting party; `nil` when it gave none.
    public var address: Fact<String>? { look.details.address.map { .asserted($0) } }
    /// The location of the address, in words; `nil` when nothing is known.
    public var placeName: String? { look.details.place?.name }
}
