import Countersign
import CountersignRequester
import Foundation
import NIOConcurrencyHelpers

/// A system with the apps that a test names, which records what it was asked to open.
final class ScriptedOpener: AppOpener {
    let links: AppLinks
    /// The addresses that some app opens, by how they begin.
    private let apps: [String]
    private let log = NIOLockedValueBox<(asked: [String], opened: [URL])>(([], []))

    init(_ links: AppLinks = .schemesAndWebAddresses, apps: [String] = ["https:"]) {
        self.links = links
        self.apps = apps
    }

    /// The addresses that were opened.
    var opened: [URL] { log.withLockedValue(\.opened) }
    /// The addresses that were asked about.
    var asked: [String] { log.withLockedValue(\.asked) }

    func canOpen(_ address: URL) async -> Bool {
        log.withLockedValue { $0.asked.append(address.absoluteString) }
        return apps.contains { address.absoluteString.hasPrefix($0) }
    }

    func open(_ address: URL) async -> Bool {
        guard apps.contains(where: { address.absoluteString.hasPrefix($0) }) else { return false }
        log.withLockedValue { $0.opened.append(address) }
        return true
    }
}

extension URL {
    /// The parameters of the query, decoded as a form.
    var parameters: [String: String] {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(
            items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first + " (repeated)" })
    }
}
