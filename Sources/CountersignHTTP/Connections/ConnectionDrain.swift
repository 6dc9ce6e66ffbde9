internal import Atomics

/// The announcement that a server is going to stop: each of its connections ends after its next answer.
///
/// Standard: RFC 9112 §9.6.
package struct ConnectionDrain: Sendable {
    private let begun = ManagedAtomic(false)

    /// Creates one that has not begun.
    package init() {}

    /// Whether the server is going to stop.
    package var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// Lets it begin, for good.
    package func begin() {
        begun.store(true, ordering: .relaxed)
    }
}
