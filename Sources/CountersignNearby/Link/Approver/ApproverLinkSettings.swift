/// The settings of an approver's end of one link, fixed before it begins.
struct ApproverLinkSettings: Sendable {
    let name: PeerName
    /// The requester's network address.
    let address: NearbyAddress
    /// The names of paired screens, if this screen is not one of them.
    var known: [PairedName] = []
    var space = CodeSpace.standard
    /// The time limits of each wait.
    var times = NearbyTimes.standard
}

extension ApproverLinkSettings {
    /// Whether a screen that is not paired has the name of one that is, and comes from a host from which that one
    /// never came. Screens of one host often have one name, such as those of two users or two apps.
    func isImitation(_ name: PeerName) -> Bool {
        let namesakes = known.filter { $0.name.resembles(name) }
        return !namesakes.isEmpty && !namesakes.contains { $0.hosts.contains(address.text) }
    }
}

/// The name of a paired screen, and the hosts that it came from.
struct PairedName: Sendable {
    let name: PeerName
    let hosts: [String]

    init(_ name: PeerName, at hosts: [String] = []) {
        self.name = name
        self.hosts = hosts
    }

    init(_ pairing: Pairing) { self.init(pairing.peerName, at: pairing.hosts) }
}
