public import FoundationEssentialsCompat

/// The authentication of the two ends of a link to each other, as the phone reports it in its signed decision.
///
/// The server cannot verify it: only the phone knows.
public enum NearbyProof: Sendable, Hashable, Codable {
    /// A person typed at the phone the digits that the other device showed.
    case code
    /// The other device holds the key that the phone has remembered since this instant, and a person tapped to confirm.
    case paired(at: Date)
}

extension NearbyProof {
    /// Whether the trust comes from a remembered pairing alone, without digits.
    public var isPaired: Bool {
        if case .paired = self { true } else { false }
    }
}

/// Whether the server observed both devices at the same place of the network.
///
/// It is observed, and does not prove that the devices are near: VPNs and relays bring distant devices into one
/// network.
public enum SameNetwork: String, Sendable, Hashable, Codable, CaseIterable {
    /// Both have the same IPv4 address, private IPv4 addresses with the same first 24 bits, or IPv6 addresses with the
    /// same first 64 bits.
    case yes
    /// Their addresses are of the same family and differ.
    case no
    /// The server did not see one of the addresses, the two are of different families or link-local, or one may be that
    /// of a balancer or translator in front of many clients.
    case unknown
}
