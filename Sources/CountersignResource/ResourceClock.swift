#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service's time, handed in so that tests can move it.
public struct ResourceClock: Sendable {
    /// The present instant.
    public let now: @Sendable () -> Date

    /// A clock that reads `now`.
    public init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The machine's own clock.
    public static let system = ResourceClock(now: { Date() })
}
