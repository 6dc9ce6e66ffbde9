#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How the two ends of a link came to trust each other, as the phone says it with its key.
///
/// That is asserted: nobody but the phone knows.
public enum NearbyProof: Sendable, Hashable, Codable {
    /// A person typed at the phone the digits that the other end showed.
    case code
    /// The other end holds the key that was remembered at this instant, and a person tapped.
    case paired(at: Date)
}

extension NearbyProof {
    /// Whether it comes from a pairing alone.
    public var isPaired: Bool {
        if case .paired = self { true } else { false }
    }
}

/// Whether the server saw both screens at the same place of the network.
///
/// Observed, and no proof of nearness: VPNs and relays bring far things into one network.
public enum SameNetwork: String, Sendable, Hashable, Codable, CaseIterable {
    /// One IPv4 address, or one network of 64 bits.
    case yes
    case no
    /// One of them was not seen, or they were seen by different families of addresses.
    case unknown
}
