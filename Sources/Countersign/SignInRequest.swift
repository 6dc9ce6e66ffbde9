#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a requester asks: to be signed in, as which client, for which scope, until when.
///
/// Every field keeps its provenance, so that a person who is asked to approve can see which parts are proved and
/// which are merely said.
public struct SignInRequest: Sendable, Equatable, Codable {
    /// Names one request; no secret.
    public struct ID: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let id: ID
    /// The app that asks: verified when it proved itself with its secret, asserted when anybody could have named it.
    public let client: Fact<ClientID>
    /// What it asks for: verified, because the server let through only what the client is registered for.
    public let scope: Fact<Scope>
    /// The service for which the tokens are to be good, where there is one besides the server itself.
    public let domain: Fact<Domain>?
    /// The only person who may take it; `nil` where anybody with its code may.
    public let addressee: Subject?
    /// The network address that the request came from, as text, where there was one.
    public let address: Fact<String>?
    /// What the asking screen calls itself.
    public let deviceName: Fact<String>?
    /// The software that asks, as it names itself.
    public let software: Fact<String>?
    /// When it was asked, by the server's clock.
    public let asked: Fact<Date>
    /// The instant from which on nobody can approve or redeem it.
    public let deadline: Date

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
        self.address = address
        self.deviceName = deviceName
        self.software = software
        self.asked = asked
        self.deadline = deadline
    }

    /// Whether `subject` may take it.
    public func isOpen(to subject: Subject) -> Bool {
        addressee == nil || addressee == subject
    }
}
