/// The settings of a requester's end of one link, fixed before it begins.
struct RequesterLinkSettings: Sendable {
    let request: NearbyRequest
    let name: PeerName
    /// Whether the person wants to pair with the approver.
    let wantsPairing: Bool
    /// The number of codes that may still be shown in this sign-in attempt.
    var codesLeft = 3
    var space = CodeSpace.standard
    /// The time limits of each wait.
    var times = NearbyTimes.standard
}
