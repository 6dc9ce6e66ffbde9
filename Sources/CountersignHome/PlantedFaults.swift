package import CountersignStorage

/// Faults that a test plants, to see that a home finds them.
package struct PlantedFaults: Sendable {
    /// The store between the server and the real one; the real one by default.
    package var store: @Sendable (any Store) -> any Store = { $0 }
    /// The paths whose answers the attacker reads, too; none by default.
    package var leaks: Set<String> = []

    package static let none = PlantedFaults()

    package init() {}
}
