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
    /// What the person does with it.
    public let kind: AuthenticationRequest.Kind
    /// The app or customer that asks, which has authenticated.
    public let client: Fact<ClientID>
    /// Under which name the server knows it.
    public let clientName: Fact<String>
    /// The environment for which it asks; `nil` for a request that no environment made.
    public let environment: ListedEnvironment?
    /// What it asks for.
    public let scope: Fact<Scope>
    /// What the person should see where they started, too, in the words of the party that asks; `nil` for nothing.
    public let message: Fact<String>?
    /// The address of the person who signs in, as the party that asks said it; `nil` when it said none.
    public let address: Fact<String>?
    /// Where that address is, as far as the server knows; `nil` when it does not.
    public let place: AuthenticationRequest.Location?
    /// When it was made, by the server's clock.
    public let asked: Fact<Date>
    /// When it becomes too late to answer, by the server's clock.
    public let deadline: Date
    /// How many digits of the other screen the person has to type to approve; `nil` when there are none.
    public let numberDigits: Int?
    /// The one-time password that the person types at the other screen; `nil` for a request to approve.
    public let pin: String?

    /// What the server gave for this look; an answer must bring it back, once.
    let nonce: DecisionNonce
    /// The digest of exactly what the server answered, which the answer signs.
    let digest: ShownDigest

    /// What the server has answered to a look.
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

    /// Where the address is, in words; `nil` when nothing is known.
    public var placeName: String? { place?.name }
}
