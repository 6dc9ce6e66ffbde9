/// The recent losses of names of one publication to other hosts.
///
/// A host that contests each name that is tried lies: the alternatives can be foreseen. After three losses within a
/// minute the next name is to be drawn at random, and contests of it are not believed for ten minutes.
package struct NameConflictHistory: Sendable {
    /// The instants of losses within a minute.
    private var recent: [ContinuousClock.Instant] = []
    /// The instant until which other hosts that contest the present name are not believed; `nil` if they are.
    package private(set) var defendedUntil: ContinuousClock.Instant?

    /// No conflicts.
    package init() {}

    /// A name is lost.
    ///
    /// - Returns: Whether the next name is to be drawn at random; it is defended from now on.
    package mutating func add(at now: ContinuousClock.Instant) -> Bool {
        recent = recent.filter { $0 + Self.span > now } + [now]
        guard recent.count >= Self.most else {
            defendedUntil = nil
            return false
        }
        recent = []
        defendedUntil = now + Self.defence
        return true
    }

    /// The number of losses that makes the next name a random one.
    private static let most = 3
    /// The span for counting losses.
    private static let span = Duration.seconds(60)
    /// The time that a random name is defended.
    private static let defence = Duration.seconds(600)
}
