/// What an approver brings into a link, fixed before it begins.
package struct ApproverTerms: Sendable {
    package let name: PeerName
    package let address: NearbyAddress
    /// What the remembered screens call themselves, if this is none of them.
    package let known: [PeerName]
    package let space: CodeSpace
    package let times: NearbyTimes

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
