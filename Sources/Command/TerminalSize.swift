/// The size of a terminal, or of a part of it.
struct TerminalSize: Sendable, Equatable {
    /// The number of characters in a row.
    var columns: Int
    var rows: Int

    /// Whether another area has room in this one.
    func holds(_ other: TerminalSize) -> Bool { other.columns <= columns && other.rows <= rows }

    /// The number of rows that lines take: more than one each where they are longer than a row.
    func rows(of lines: [String]) -> Int {
        lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / max(1, columns)) }
    }
}
