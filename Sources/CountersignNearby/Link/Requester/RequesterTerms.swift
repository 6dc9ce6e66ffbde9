/// What a requester wants of a link, fixed before it begins.
package struct RequesterTerms: Sendable {
    /// What is asked for.
    package let request: NearbyRequest
    /// What this device calls itself.
    package let name: PeerName
    /// Whether the person wants the approver remembered.
    package let wantsToBeRemembered: Bool
    /// How many codes may still be shown in this attempt at signing in.
    package let codesLeft: Int
    /// The codes that there are.
    package let space: CodeSpace
    /// How long each wait may take.
    package let times: NearbyTimes

    /// The terms of one link.
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
