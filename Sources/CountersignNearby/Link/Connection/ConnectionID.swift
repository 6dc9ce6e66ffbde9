/// Identifies a connection of a listener.
package struct ConnectionID: Sendable, Hashable {
    /// Counts the connections of a listener.
    let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
