/// The lines in which callers of a store wait for their turn; the same for every kind of store.
package enum StoreLine {
    /// The most who may wait in one line.
    package static let longest = 10_000

    /// What those hear who come when the line is full.
    package static var full: StoreUnavailable { StoreUnavailable(.notDone, reason: "too many wait for it") }
}
