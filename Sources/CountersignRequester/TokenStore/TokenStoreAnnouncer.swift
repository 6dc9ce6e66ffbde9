package import Countersign

/// Notifies every observer of a store of the changed items.
package typealias TokenStoreAnnouncer = Observers<TokenStoreKey>

extension Observers<TokenStoreKey> {
    /// Observers of a store.
    package convenience init() { self.init(longestQueue: 1024) }
}
