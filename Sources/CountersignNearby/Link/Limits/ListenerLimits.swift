/// The limits of an approver for screens, mostly for those that are not remembered ("strangers").
public struct ListenerLimits: Sendable, Equatable {
    /// How long the window stays open.
    public var window: Duration = .seconds(600)
    /// How long it stays closed after too many wrong codes.
    public var closedAfterMisses: Duration = .seconds(300)
    /// How many codes may be wrong while it is open.
    public var misses = 3
    /// The most pending handshakes of strangers; the oldest is evicted for a new one.
    public var halfOpen = 16
    /// The most pending handshakes of strangers from one address.
    public var halfOpenPerAddress = 4
    /// The most pending handshakes of requesters with a valid hint of a pairing; they have separate slots.
    public var hinted = 8
    /// The most pending handshakes of strangers from addresses that have often connected without a handshake, or that
    /// have sent more first frames than they may begin handshakes.
    public var halfOpenSilent = 4
    /// How often an address may connect without a first frame, in a minute, before it shares those slots; more often
    /// than an honest requester does, which tries each address several times.
    public var silences = 8
    /// Handshakes that strangers may begin in a minute, from one address. One that sends more first frames gives way to
    /// all others, and puts no further questions to the person, until it sends fewer.
    public var startsPerAddress = 10
    /// How many of these are the address's own; so many does a screen need that asks again by itself. Further ones it
    /// shares with other addresses.
    public var ownStarts = 6
    /// Handshakes that strangers may begin in a minute, in all, beyond those that are their addresses' own.
    public var starts = 30
    /// Handshakes that strangers may begin in a minute, in all, that are their addresses' own.
    public var allOwnStarts = 720
    /// How many requesters may wait for their turn.
    public var line = 4
    /// Questions that strangers may put to the person in ``promptSpan``, from one address.
    public var promptsPerAddress = 3
    /// Questions that strangers may put to the person in ``promptSpan``, whichever addresses ask.
    public var prompts = 4
    /// The pause between two further questions of addresses that had not waited in ``promptSpan``, and also between two
    /// further questions of other addresses about which the person was not asked in ``promptSpan``.
    public var furtherPromptPause: Duration = .seconds(60)
    /// The span in which those are counted; "not now" mutes an address for as long.
    public var promptSpan: Duration = .seconds(600)
    /// How long an address takes part in the draw of the next further question after it has tried to ask, and how long
    /// it may put that question after it was drawn; longer than the pauses after which a screen asks again by itself.
    public var promptDrawSpan: Duration = .seconds(30)
    /// Questions that one pairing may put to the person in an hour.
    public var promptsPerPairing = 5
    /// How often a pairing may be refused before the person is asked whether to forget it.
    public var refusalsBeforeForgetting = 3

    /// The limits of the protocol.
    public static let standard = ListenerLimits()

    /// The limits of the protocol.
    private init() {}
}
