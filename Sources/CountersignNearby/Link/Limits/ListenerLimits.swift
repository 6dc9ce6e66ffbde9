/// How much strangers may ask of an approver.
public struct ListenerLimits: Sendable, Equatable {
    /// How long the window stays open by itself.
    public var window: Duration = .seconds(600)
    /// How long it stays closed after too many codes went wrong.
    public var closedAfterMisses: Duration = .seconds(300)
    /// How many codes may go wrong while it is open.
    public var misses = 3
    /// Handshakes of strangers that are not over; the oldest gives way.
    public var halfOpen = 16
    /// Of those, from one address.
    public var halfOpenPerAddress = 4
    /// Handshakes of requesters that gave the hint of a pairing; they have places of their own.
    public var hinted = 8
    /// Handshakes that strangers may begin in a minute, from one address.
    public var startsPerAddress = 10
    /// Handshakes that strangers may begin in a minute, in all.
    public var starts = 30
    /// Who may wait for their turn.
    public var line = 4
    /// Questions that strangers may put to the person in ``promptSpan``, from one address.
    public var promptsPerAddress = 3
    /// Questions that strangers may put to the person in ``promptSpan``, in all.
    public var prompts = 6
    /// The span in which those are counted; "not now" silences an address for as long.
    public var promptSpan: Duration = .seconds(600)
    /// Questions that one pairing may put to the person in an hour.
    public var promptsPerPairing = 5
    /// How often a pairing may hear "no" or "not now" before the person is asked whether to forget it.
    public var refusalsBeforeForgetting = 3

    /// The limits of the protocol.
    public static let standard = ListenerLimits()

    /// The limits of the protocol.
    private init() {}
}
