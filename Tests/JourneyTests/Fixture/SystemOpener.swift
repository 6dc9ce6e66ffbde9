import Countersign
import Foundation
import NIOConcurrencyHelpers

/// A system with apps for the addresses that begin so, which keeps what it was to open; by default for all.
final class SystemOpener: AppOpener {
    let links: AppLinks
    private let addresses: [String]
    private let kept = NIOLockedValueBox<[URL]>([])

    /// Whether the system has the provider's own app, which owns the domain of the server.
    let knowsOwners: Bool

    init(
        links: AppLinks = .schemesAndWebAddresses,
        opening addresses: [String] = [""],
        inOwner knowsOwners: Bool = false
    ) {
        (self.links, self.addresses, self.knowsOwners) = (links, addresses, knowsOwners)
    }

    var opened: [URL] { kept.withLockedValue { $0 } }

    func canOpen(_ address: URL) async -> Bool { addresses.contains { address.absoluteString.hasPrefix($0) } }

    func open(_ address: URL) async -> Bool {
        guard await canOpen(address) else { return false }
        kept.withLockedValue { $0.append(address) }
        return true
    }

    func openInOwner(_ address: URL) async -> Bool { knowsOwners ? await open(address) : false }
}
