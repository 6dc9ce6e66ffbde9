/// The app's side of an approver: it answers the questions of ``NearbyListener``, with or without a user interface.
///
/// Each question runs on a separate task, which is cancelled when the answer is no longer needed: the screen has
/// disconnected, or time is over. One screen is served at a time.
///
/// ```swift
/// struct Phone: NearbyListenerDelegate {
///     func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
///         await ask("Is ‘\(prompt.name.value.shown)’ in front of you?") ? .seen : .notNow
///     }
///
///     func digits(for prompt: NearbyPrompt) async -> LinkCode? {
///         CodeSpace.standard.code(typed: await read("The six digits on that screen"))
///     }
///
///     func decide(_ request: ReceivedRequest) async -> NearbyDecision {
///         await ask("Approve?") ? .approve(.bytes(ticket), pairs: false) : .decline
///     }
/// }
/// ```
public protocol NearbyListenerDelegate: Sendable {
    /// "A screen that calls itself … wants to be signed in. Is it in front of you, and did you ask for this?"
    ///
    /// - Parameter prompt: The screen's own description of itself, which is not verified, and its network address.
    /// - Returns: The person's answer. "Not now" keeps that address from asking for ten minutes.
    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation

    /// Asks for the digits on that screen. "Nobody will ever read them to you; if someone does, stop."
    ///
    /// - Parameter prompt: The screen that the person has confirmed is in front of them.
    /// - Returns: The typed digits, by ``CodeSpace/code(typed:)``; `nil` when the person gives up, which counts as a
    ///   wrong code.
    func digits(for prompt: NearbyPrompt) async -> LinkCode?

    /// The digits differ from those on the screen. If they were typed correctly, an attacker may be between the
    /// devices.
    ///
    /// - Parameter prompt: The screen. It may ask again, up to three times.
    func missed(_ prompt: NearbyPrompt) async

    /// The screen is authenticated; decides its request. An approval is valid only on the connection that carried the
    /// request.
    ///
    /// - Parameter request: The screen's request, and how the screen was authenticated.
    /// - Returns: The decision; ``NearbyDecision/askForCode`` leads to a second call, once the digits were right.
    func decide(_ request: ReceivedRequest) async -> NearbyDecision

    /// A link has ended, after the person was asked something on it.
    ///
    /// - Parameters:
    ///   - link: The link, as ``NearbyPrompt/link`` and ``ReceivedRequest/link`` name it.
    ///   - outcome: The outcome of the link.
    func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async

    /// The person has refused a paired screen several times: they may want to forget it.
    ///
    /// - Parameter pairing: The pairing, for ``PairingStore/forget(_:)``.
    func suggestForgetting(_ pairing: PairingID) async

    /// The window was closed because too many codes were wrong.
    func windowClosedAfterMisses() async

    /// Another device on the network has the name that this one was advertised as, so another name is tried.
    ///
    /// - Parameters:
    ///   - name: The name that the other device has.
    ///   - other: The name that is tried instead; `found` of ``NearbyListener/run(ready:found:)`` reports when it is
    ///     established.
    func renamed(from name: String, to other: String) async

    /// Several names in a row were taken: another device claims each name that is tried, or several devices were given
    /// the same one. A random name is advertised, and retained for ten minutes.
    func nameContested() async

    /// The account that requests are approved for, in the app's own words; pairings store it.
    var account: String? { get async }
}

/// The person's answer to whether the requesting screen is in front of them.
public enum ScreenConfirmation: Sendable, Equatable {
    /// It is in front of them, and they asked for this.
    case seen
    /// It is not, or they do not want this now.
    case notNow
}

extension NearbyListenerDelegate {
    /// Does nothing.
    ///
    /// - Parameter prompt: The question that was not answered in time.
    public func missed(_ prompt: NearbyPrompt) async {}
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - link: The link that ended.
    ///   - outcome: The outcome of the link.
    public func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async {}
    /// Suggests nothing.
    ///
    /// - Parameter pairing: The screen that was refused several times.
    public func suggestForgetting(_ pairing: PairingID) async {}
    /// Does nothing.
    public func windowClosedAfterMisses() async {}
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - name: The name that was lost to another device.
    ///   - other: The name that is advertised now.
    public func renamed(from name: String, to other: String) async {}
    /// Does nothing.
    public func nameContested() async {}
    /// No account.
    public var account: String? { get async { nil } }
}
