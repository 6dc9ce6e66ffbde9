/// The settings of an approver's end of one link, fixed before it begins.
package struct ApproverLinkSettings: Sendable {
    /// This device's own name.
    package let name: PeerName
    /// The requester's network address.
    package let address: NearbyAddress
    /// The names of remembered screens, if this screen is not one of them.
    package let known: [PeerName]
    package let space: CodeSpace
    /// The time limits of each wait.
    package let times: NearbyTimes

    /// Creates the settings of one link.
    package init(
        name: PeerName,
        address: NearbyAddress,
        known: [PeerName] = [],
        space: CodeSpace = .standard,
        times: NearbyTimes = .standard
    ) {
        self.name = name
        self.address = address
        self.known = known
        self.space = space
        self.times = times
    }
}
