/// The settings of a requester's end of one link, fixed before it begins.
package struct RequesterLinkSettings: Sendable {
    package let request: NearbyRequest
    /// This device's own name.
    package let name: PeerName
    /// Whether the person wants the approver remembered.
    package let wantsToBeRemembered: Bool
    /// The number of codes that may still be shown in this sign-in attempt.
    package let codesLeft: Int
    package let space: CodeSpace
    /// The time limits of each wait.
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
