/// The settings of an approver's end of one link, fixed before it begins.
struct ApproverLinkSettings: Sendable {
    let name: PeerName
    /// The requester's network address.
    let address: NearbyAddress
    /// The names of remembered screens, if this screen is not one of them.
    var known: [PeerName] = []
    var space = CodeSpace.standard
    /// The time limits of each wait.
    var times = NearbyTimes.standard
}
