#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What was proved on the way from a request to its approval.
///
/// ``Policy`` reads evidence and never asks which channel it came over.
public struct Evidence: Sendable, Equatable, Codable {
    /// One thing that was proved.
    public enum Proof: Sendable, Hashable, Codable {
        /// The person signed in at the approving screen with their account's password, at this instant.
        case accountPassword(at: Date)
        /// The person typed the code that the asking screen shows.
        case codeTyped
        /// The person came by a link that held the code; it proves only that the link reached them.
        case linkOpened
        /// The client that asks proved by its secret that it is one that this person signed in before.
        case signedInBefore
    }

    public private(set) var proofs: [Proof]

    public init(_ proofs: [Proof] = []) {
        self.proofs = proofs
    }

    /// Adds what was proved next.
    public mutating func add(_ proof: Proof) {
        if !proofs.contains(proof) { proofs.append(proof) }
    }

    /// This evidence after that of `earlier`, each proof once.
    func adding(_ earlier: Evidence?) -> Evidence {
        var all = earlier ?? Evidence()
        for proof in proofs { all.add(proof) }
        return all
    }

    /// The instant at which the person last proved who they are; `nil` if they did not.
    ///
    /// Standard: OpenID Connect Core 1.0 §2 (`auth_time`).
    public var authenticated: Date? {
        proofs.compactMap { proof in
            if case .accountPassword(at: let instant) = proof { instant } else { nil }
        }.max()
    }

    /// Whether the person shows to know of the code, by typing it or by its link.
    public var namesTheCode: Bool {
        proofs.contains(.codeTyped) || proofs.contains(.linkOpened)
    }

    /// Whether the person is known to have to do with the asking screen: by its code, or since it was theirs before.
    public var knowsTheScreen: Bool {
        namesTheCode || proofs.contains(.signedInBefore)
    }
}
