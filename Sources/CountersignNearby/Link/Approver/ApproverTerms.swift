/// What an approver brings into a link, fixed before it begins.
package struct ApproverTerms: Sendable {
    /// What this device calls itself.
    package let name: PeerName
    /// Where the requester is.
    package let address: NearbyAddress
    /// What the remembered screens call themselves, if this is none of them.
    package let known: [PeerName]
    /// The codes that there are.
    package let space: CodeSpace
    /// How long each wait may take.
    package let times: NearbyTimes

    /// The terms of one link.
    ///
    /// - Parameters:
    ///   - name: What this device calls itself.
    ///   - address: Where the requester is.
    ///   - known: What the remembered screens call themselves.
    ///   - space: The codes that there are.
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
