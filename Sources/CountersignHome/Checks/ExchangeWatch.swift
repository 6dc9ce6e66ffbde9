internal import Countersign
internal import CountersignStorage
internal import NIOConcurrencyHelpers

/// The requests that took a step, as the store announces them.
final class ExchangeWatch: Sendable {
    private let changed = NIOLockedValueBox<[SignInRequest.ID]>([])

    /// Observes a store.
    func observe(_ store: some Store) {
        store.observe { [changed] changes in
            for case .exchange(let id, requestCode: _) in changes { changed.withLockedValue { $0.append(id) } }
        }
    }

    /// The requests that changed since the last call.
    func take() -> [SignInRequest.ID] {
        changed.withLockedValue { changed in
            defer { changed = [] }
            return changed
        }
    }
}
