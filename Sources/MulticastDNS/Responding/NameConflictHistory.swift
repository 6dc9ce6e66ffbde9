/// When one publication lost names to other hosts.
///
/// A host that contests each name that is tried lies: the alternatives can be foreseen. After three losses within a
/// minute the next name is to be drawn at random, and contests of it are not believed for ten minutes.
package struct NameConflictHistory: Sendable {
    /// When names were lost, within a minute.
    private var recent: [ContinuousClock.Instant] = []
    /// Until when other hosts that contest the present name are not believed; `nil` if they are.
    package private(set) var defendedUntil: ContinuousClock.Instant?

    /// No conflicts.
    package init() {}

    /// A name is lost.
    ///
    /// - Parameter now: The instant at which this happens.
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

    /// How many losses are believed.
    private static let most = 3
    /// The span in which they are counted.
    private static let span = Duration.seconds(60)
    /// How long the name is defended that was drawn.
    private static let defence = Duration.seconds(600)
}
