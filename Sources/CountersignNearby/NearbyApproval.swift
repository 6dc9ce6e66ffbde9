public import Countersign

/// What an app does when a screen asks: with any user interface, with none, at once or later.
///
/// Each question is asked on a task of its own, which is cancelled when the answer is of no use any more: the screen has
/// gone, or time is over. One screen is served at a time.
public protocol NearbyApproval: Sendable {
    /// "A screen that calls itself … wants to be signed in. Is it in front of you, and did you ask for this?"
    func sees(_ prompt: NearbyPrompt) async -> NearbySight

    /// Asks for the digits on that screen; `nil` when the person gives up. "Nobody will ever read them to you; if
    /// someone does, stop."
    func digits(for prompt: NearbyPrompt) async -> LinkCode?

    /// The digits were not those that the screen shows. If they were typed right, someone may be in between.
    func missed(_ prompt: NearbyPrompt) async

    /// The screen is authenticated; decides its request. An approval ends with the connection that it was asked on.
    func decide(_ request: ReceivedRequest) async -> NearbyDecision

    /// A link has ended, after the person was asked something on it.
    func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async

    /// The person has refused a remembered screen several times: they may want to forget it.
    func suggestForgetting(_ pairing: PairingID) async

    /// The window was closed because too many codes went wrong.
    func windowClosedAfterMisses() async

    /// The account that requests are approved with, in the app's own words; pairings note it.
    var account: String? { get async }
}

/// Whether the person has the screen that asks in front of them.
public enum NearbySight: Sendable, Equatable {
    case seen
    case notNow
}

extension NearbyApproval {
    public func missed(_ prompt: NearbyPrompt) async {}
    public func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async {}
    public func suggestForgetting(_ pairing: PairingID) async {}
    public func windowClosedAfterMisses() async {}
    public var account: String? { get async { nil } }
}
