internal import CountersignServer

extension QRCode {
    /// The code for a terminal: two rows in each line, with the light border that readers need.
    ///
    /// Colours are set outright, dark on light, because readers fail on a code that a dark terminal inverts.
    var terminalLines: [String] {
        let border = 2
        let width = rows.count + 2 * border
        let isDark = { (row: Int, column: Int) -> Bool in
            let (row, column) = (row - border, column - border)
            return rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
        }
        return stride(from: 0, to: width, by: 2).map { row in
            let squares = (0..<width).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[38;5;16;48;5;231m\(squares.joined())\u{1B}[0m"
        }
    }

    /// The number of a terminal's columns that the code takes.
    var terminalWidth: Int { rows.count + 4 }
}
