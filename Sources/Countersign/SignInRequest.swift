public import FoundationEssentialsCompat

/// A request to be signed in, with its client, its scope and its deadline.
///
/// Each field keeps its provenance, so that an approver can see which parts are proved and which are only claimed.
///
/// ```swift
/// let request = SignInRequest(
///     id: mint.identifier(),
///     client: .asserted(ClientID("tv")),
///     scope: .verified(Scope([.openid])),
///     deviceName: .asserted("Living room TV"),
///     asked: .observed(now),
///     deadline: now + 600
/// )
/// ```
public struct SignInRequest: Sendable, Equatable, Codable {
    /// Identifies one request; no secret.
    public struct ID: TimeOrderedIdentifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier that the request is stored under.
    public let id: ID
    /// The requesting app: verified when it authenticated with its secret, asserted when any app could have named it.
    public let client: Fact<ClientID>
    /// The scope that it asks for: verified, because the server lets through only what the client is registered for.
    public let scope: Fact<Scope>
    /// The service that the tokens are valid for; `nil` when they are for the server itself.
    public let domain: Fact<Domain>?
    /// The only person who may take it; `nil` when every person who has its code may.
    public let addressee: Subject?
    /// The person who is remembered on the requesting screen and asked on their devices, too, although every person who
    /// has its code may take it; `nil` when there is none.
    public package(set) var rememberedPerson: Subject?
    /// The purpose and the wished end of a program that acts for the person for a bounded time; `nil` for a screen or app
    /// of theirs.
    public package(set) var service: Fact<GuestService>?
    /// The network address that the request came from, as text; `nil` when the server saw none.
    public let address: Fact<String>?
    /// The name that the requesting screen gave itself.
    public let deviceName: Fact<String>?
    /// The software that asks, as it names itself.
    public let software: Fact<String>?
    /// The instant of the request, by the server's clock.
    public let asked: Fact<Date>
    /// The instant of its expiry; from then on it can be neither approved nor redeemed.
    public let deadline: Date

    /// Creates a request.
    public init(
        id: ID,
        client: Fact<ClientID>,
        scope: Fact<Scope>,
        domain: Fact<Domain>? = nil,
        addressee: Subject? = nil,
        address: Fact<String>? = nil,
        deviceName: Fact<String>? = nil,
        software: Fact<String>? = nil,
        asked: Fact<Date>,
        deadline: Date
    ) {
        self.id = id
        self.client = client
        self.scope = scope
        self.domain = domain
        self.addressee = addressee
        rememberedPerson = nil
        service = nil
        self.address = address
        self.deviceName = deviceName
        self.software = software
        self.asked = asked
        self.deadline = deadline
    }

    /// Whether `subject` may take the request: it has no addressee, or `subject` is the addressee.
    ///
    /// - Parameter subject: The person who wants to take it.
    public func isOpen(to subject: Subject) -> Bool { addressee == nil || addressee == subject }

    /// The person whose devices are asked; `nil` when the request waits for a person who finds it.
    public var personAsked: Subject? { addressee ?? rememberedPerson }
}
