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
    /// Whether it has the name of a paired screen, cannot prove to be that one, and comes from an address from which
    /// that one never came. ``warning`` says what to do. Another screen of the same host is no imitation: it often has
    /// the same name.
    public let imitatesPaired: Bool
    /// The link that it asks on.
    public let link: NearbyLinkID

    /// Creates the question for an `ask` message.
    init(_ ask: LinkMessage.Ask, run: CodeAttempt, terms: ApproverLinkSettings, link: NearbyLinkID) {
        name = .asserted(ask.name)
        address = .observed(terms.address)
        kind = ask.kind
        attempt = Int(run.number)
        imitatesPaired = terms.isImitation(ask.name)
        self.link = link
    }

    /// Whether no further code follows when this one fails.
    public var isLastAttempt: Bool { UInt8(exactly: attempt).flatMap(CodeAttempt.init)?.next == nil }

    /// The warning about a screen that imitates a paired one, in English: what is wrong, and what to do; `nil` for
    /// another screen.
    public var warning: String? {
        guard imitatesPaired else { return nil }
        return """
            Careful: this is not the ‘\(name.value.shown)’ that this device is paired with; that one came from another address, \
            and proves who it is. Say yes only if you look at a new screen with that name. Otherwise say no, and choose \
            this device again on your own screen.
            """
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
    /// Whether it requests to be paired; the person decides.
    public let wantsPairing: Bool
    /// The link that it asks on; both ends send its identifier to the server.
    public let link: NearbyLinkID
    /// Whether ``NearbyDecision/askForCode`` is possible.
    public let canAskForCode: Bool

    /// A request; made by the link alone.
    init(
        request: NearbyRequest, trust: NearbyProof, name: PeerName, wantsPairing: Bool,
        address: NearbyAddress, link: NearbyLinkID, canAskForCode: Bool
    ) {
        self.request = .asserted(request)
        self.trust = trust
        self.name = .asserted(name)
        self.address = .observed(address)
        self.wantsPairing = wantsPairing
        self.link = link
        self.canAskForCode = canAskForCode
    }
}
