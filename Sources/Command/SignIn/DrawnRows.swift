/// The rows of a terminal that were drawn above those that change each second, to be drawn again in place.
struct DrawnRows: Sendable, Equatable {
    /// The size of the terminal when they were drawn.
    let size: TerminalSize
    private(set) var count = 0

    init(in size: TerminalSize) {
        self.size = size
    }

    /// Counts lines that were added below.
    mutating func add(_ lines: [String]) {
        count += size.rows(of: lines)
    }

    /// Whether the first row is still on the screen, where the cursor reaches it.
    ///
    /// - Parameters:
    ///   - now: The present size; after a change the terminal has broken the lines anew.
    ///   - height: The number of rows below, without the one that has the cursor.
    func isInReach(now: TerminalSize, above height: Int) -> Bool {
        now == size && count + height + 1 <= size.rows
    }

    /// The text that takes them off the terminal, when the cursor is in the row below them.
    var removal: String { "\u{1B}[\(count)A\u{1B}[J" }
}
