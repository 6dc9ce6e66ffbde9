/// The settings of a requester's end of one link, fixed before it begins.
package struct RequesterLinkSettings: Sendable {
    /// What is asked for.
    package let request: NearbyRequest
    /// What this device calls itself.
    package let name: PeerName
    /// Whether the person wants the approver remembered.
    package let wantsToBeRemembered: Bool
    /// How many codes may still be shown in this sign-in attempt.
    package let codesLeft: Int
    /// The space of codes.
    package let space: CodeSpace
    /// How long each wait may take.
    package let times: NearbyTimes

    /// Creates the settings of one link.
    package init(
        request: NearbyRequest,
        name: PeerName,
        wantsToBeRemembered: Bool,
        codesLeft: Int = 3,
        space: CodeSpace = .standard,
        times: NearbyTimes = .standard
    ) {
        self.request = request
        self.name = name
        self.wantsToBeRemembered = wantsToBeRemembered
        self.codesLeft = codesLeft
        self.space = space
        self.times = times
    }
}
