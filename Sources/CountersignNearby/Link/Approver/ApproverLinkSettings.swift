/// The settings of an approver's end of one link, fixed before it begins.
package struct ApproverLinkSettings: Sendable {
    /// What this device calls itself.
    package let name: PeerName
    /// Where the requester is.
    package let address: NearbyAddress
    /// The names of remembered screens, if this screen is not one of them.
    package let known: [PeerName]
    /// The space of codes.
    package let space: CodeSpace
    /// How long each wait may take.
    package let times: NearbyTimes

    /// Creates the settings of one link.
    ///
    /// - Parameters:
    ///   - name: What this device calls itself.
    ///   - address: Where the requester is.
    ///   - known: The names of remembered screens.
    ///   - space: The space of codes.
    ///   - times: How long each wait may take.
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
