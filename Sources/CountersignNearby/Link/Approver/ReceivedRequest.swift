/// The question to a person before anything is trusted: "is that screen in front of you?"
public struct NearbyPrompt: Sendable, Equatable {
    /// The name that the screen claims. Every screen can claim any name.
    public let name: Fact<PeerName>
    /// Its network address, as this end sees it.
    public let address: Fact<NearbyAddress>
    /// The announced kind of grant.
    public let kind: NearbyRequestKind
    /// The number of the attempt at a code: 1, 2 or 3.
    public let attempt: Int
    /// It has a name like a remembered screen, but is another: "this is **not** the one you know".
    public let resemblesRemembered: Bool
    /// The link that it asks on.
    public let link: NearbyLinkID

    /// Creates the question for an `ask` message.
    init(_ ask: LinkMessage.Ask, run: CodeAttempt, terms: ApproverLinkSettings, link: NearbyLinkID) {
        name = .asserted(ask.name)
        address = .observed(terms.address)
        kind = ask.kind
        attempt = Int(run.number)
        resemblesRemembered = terms.known.contains { $0.resembles(ask.name) }
        self.link = link
    }
}

/// A request from a screen that is authenticated: it is the one that shows the digits, or holds the key of a pairing.
public struct ReceivedRequest: Sendable, Equatable {
    /// Its request. It is the screen's own claim; rely on the server's facts about it.
    public let request: Fact<NearbyRequest>
    /// The authentication of the screen.
    public let trust: NearbyProof
    /// The name that the screen claims.
    public let name: Fact<PeerName>
    /// Its network address, as this end sees it.
    public let address: Fact<NearbyAddress>
    /// Whether it requests to be remembered; the person decides.
    public let wantsToBeRemembered: Bool
    /// The link that it asks on; both ends send its identifier to the server.
    public let link: NearbyLinkID
    /// Whether ``NearbyDecision/askForCode`` is possible.
    public let canAskForCode: Bool

    /// A request; made by the link alone.
    init(
        request: NearbyRequest, trust: NearbyProof, name: PeerName, wantsToBeRemembered: Bool,
        address: NearbyAddress, link: NearbyLinkID, canAskForCode: Bool
    ) {
        self.request = .asserted(request)
        self.trust = trust
        self.name = .asserted(name)
        self.address = .observed(address)
        self.wantsToBeRemembered = wantsToBeRemembered
        self.link = link
        self.canAskForCode = canAskForCode
    }
}
