import Countersign
import Foundation
import NIOConcurrencyHelpers

/// A system with apps for the addresses that begin so, which keeps what it was to open; by default for all.
final class SystemOpener: AppOpener {
    let links: AppLinks
    private let addresses: [String]
    private let kept = NIOLockedValueBox<[URL]>([])

    init(links: AppLinks = .schemesAndWebAddresses, opening addresses: [String] = [""]) {
        (self.links, self.addresses) = (links, addresses)
    }

    var opened: [URL] { kept.withLockedValue { $0 } }

    func canOpen(_ address: URL) async -> Bool { addresses.contains { address.absoluteString.hasPrefix($0) } }

    func open(_ address: URL) async -> Bool {
        guard await canOpen(address) else { return false }
        kept.withLockedValue { $0.append(address) }
        return true
    }
}
