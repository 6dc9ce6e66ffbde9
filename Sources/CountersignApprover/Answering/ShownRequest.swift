public import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request as the server knows it, to be shown to the person who decides; made by ``NearbyApprovals`` alone.
///
/// It is the only thing that can be decided upon. What the screen says of itself over the link is not in it, and
/// belongs below it, as the screen's own words.
public struct ShownRequest: Sendable, Equatable {
    /// The account that the screen would be signed in with.
    public let account: ApproverAccount.ID
    /// The person of that account, as the server calls them.
    public let accountName: String
    /// The app that asks: verified when it proved itself with its secret, asserted when any program could have named
    /// it.
    public let client: Fact<ClientID>
    /// The client's name at the server.
    public let clientName: Fact<String>
    /// The requested scope.
    public let scope: Fact<Scope>
    /// From where it asks; `nil` where the server could not see that.
    public let address: Fact<String>?
    /// Since when it asks.
    public let asked: Fact<Date>
    /// The deadline for the decision, by the server's clock.
    public let deadline: Date
    /// Whether the server sees the screen and this phone in the same network.
    public let sameNetwork: Fact<SameNetwork>

    /// The request at the server.
    let exchange: SignInRequest.ID
    /// The server's nonce for this look; a decision must bring it back, once.
    let nonce: DecisionNonce
    /// The digest of exactly what the server answered, which the decision signs.
    let digest: ShownDigest

    /// The request from the server's answer to a look.
    init(_ response: NearbyLookResponse, at account: ApproverAccount.ID, answered bytes: [UInt8]) {
        self.account = account
        accountName = response.accountName
        client = response.client
        clientName = response.clientName
        scope = .verified(response.scope)
        address = response.address.map { .observed($0) }
        asked = .observed(Date(named: response.asked))
        deadline = Date(named: response.expires)
        sameNetwork = .observed(response.sameNetwork)
        exchange = response.exchange
        nonce = response.nonce
        digest = ShownDigest(of: bytes)
    }

    /// Whether the person has to type the digits of the screen before they can approve on the strength of `proof`.
    ///
    /// - Parameter proof: The proof that this phone has of the screen. A pairing is enough only where the server sees
    ///   both in one network.
    public func needsDigits(besides proof: NearbyProof) -> Bool {
        !Evidence([.nearby(how: proof, sameNetwork: sameNetwork.value)]).isNearby
    }
}
