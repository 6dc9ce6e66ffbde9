/// What a requester wants of a link, fixed before it begins.
package struct RequesterTerms: Sendable {
    package let request: NearbyRequest
    package let name: PeerName
    package let wantsToBeRemembered: Bool
    /// How many codes may still be shown in this attempt at signing in.
    package let codesLeft: Int
    package let space: CodeSpace
    package let times: NearbyTimes

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
