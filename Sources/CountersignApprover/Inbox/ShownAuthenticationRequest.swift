public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request of the inbox as the server knows it, to be shown to the person; made by ``Authenticator`` alone.
///
/// It is the only thing that can be answered.
public struct ShownAuthenticationRequest: Sendable, Equatable, Identifiable, Redacted {
    /// The request.
    public let id: SignInRequest.ID
    /// The device's sign-in.
    public let account: ApproverAccount.ID
    /// The person of that account, as the server calls them.
    public let accountName: String
    /// The kind of answer that the person gives.
    public let kind: AuthenticationRequest.Kind
    /// The app or customer that asks, which has authenticated.
    public let client: Fact<ClientID>
    /// The client's name at the server.
    public let clientName: Fact<String>
    /// The environment that it asks for; `nil` for a request that no environment made.
    public let environment: ListedEnvironment?
    /// The requested scope.
    public let scope: Fact<Scope>
    /// The message that the other screen shows too, in the words of the party that asks; `nil` for none.
    public let message: Fact<String>?
    /// The address of the person who signs in, as the party that asks said it; `nil` when it said none.
    public let address: Fact<String>?
    /// The location of that address, as far as the server knows; `nil` when it does not.
    public let place: AuthenticationRequest.Location?
    /// The time of the request, by the server's clock.
    public let asked: Fact<Date>
    /// The deadline for the answer, by the server's clock.
    public let deadline: Date
    /// The number of digits of the other screen that the person has to type to approve; `nil` when there are none.
    public let numberDigits: Int?
    /// The one-time password that the person types at the other screen; `nil` for a request to approve.
    public let pin: String?

    /// The server's nonce for this look; an answer must bring it back, once.
    let nonce: DecisionNonce
    /// The digest of exactly what the server answered, which the answer signs.
    let digest: ShownDigest

    /// The request from the server's answer to a look.
    init(_ response: AuthenticatorLookResponse, at account: ApproverAccount.ID, answered bytes: [UInt8]) {
        id = response.exchange
        self.account = account
        accountName = response.accountName
        kind = response.kind
        client = response.client
        clientName = response.clientName
        environment = response.environment
        scope = .verified(response.scope)
        message = response.message.map { .asserted($0) }
        address = response.address.map { .asserted($0) }
        place = response.place
        asked = .observed(Date(named: response.asked))
        deadline = Date(named: response.expires)
        numberDigits = response.numberDigits
        pin = response.pin
        nonce = response.nonce
        digest = ShownDigest(of: bytes)
    }

    /// The location of the address, in words; `nil` when nothing is known.
    public var placeName: String? { place?.name }
}
