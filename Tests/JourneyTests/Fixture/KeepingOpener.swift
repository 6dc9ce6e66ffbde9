import Countersign
import CountersignRequester
import Foundation
import NIOConcurrencyHelpers

/// Keeps the addresses that would be opened.
final class KeepingOpener: AppOpener {
    private let kept = NIOLockedValueBox<[URL]>([])
    var opened: [URL] { kept.withLockedValue { $0 } }

    func canOpen(_ address: URL) async -> Bool { true }

    func open(_ address: URL) async -> Bool {
        kept.withLockedValue { $0.append(address) }
        return true
    }
}
