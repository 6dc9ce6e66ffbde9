internal import CountersignServer

extension QRCode {
    /// The characters that show squares in a terminal.
    enum TerminalForm: Sendable {
        /// Half blocks: each character shows two squares, one above the other. They need UTF-8.
        case halfBlocks
        /// Two spaces for each square, in its colour.
        case spaces
        /// Half blocks in the terminal's own colours, which draw the light squares: for a text whose colours a program
        /// on the way would strip. It is dark on light on a dark terminal.
        case ink
    }

    /// The code as the lines of a terminal.
    ///
    /// Colours are set outright, dark on light, because readers fail on a code that a dark terminal inverts.
    ///
    /// - Parameters:
    ///   - form: The characters.
    ///   - quietZone: The width of the light border, in squares; readers may need four.
    ///
    /// Standard: ISO/IEC 18004 §9.1 (quiet zone).
    func terminalLines(_ form: TerminalForm, quietZone: Int) -> [String] {
        let width = rows.count + 2 * quietZone
        let isDark = { (row: Int, column: Int) -> Bool in
            let (row, column) = (row - quietZone, column - quietZone)
            return rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
        }
        /// The lines of half blocks whose ink draws the squares that `isDrawn` names.
        func halfBlocks(_ isDrawn: (Int, Int) -> Bool) -> [String] {
            stride(from: 0, to: width, by: 2).map { row in
                let squares = (0..<width).map { column in
                    switch (isDrawn(row, column), isDrawn(row + 1, column)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }
                return squares.joined()
            }
        }
        switch form {
        case .halfBlocks:
            return halfBlocks(isDark).map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m" }
        case .ink:
            return halfBlocks { !isDark($0, $1) && $0 < width }
        case .spaces:
            return (0..<width).map { row in
                var (line, wasDark) = ("", Bool?.none)
                for column in 0..<width {
                    let isDark = isDark(row, column)
                    if isDark != wasDark { line += "\u{1B}[48;5;\(isDark ? 16 : 231)m" }
                    line += "  "
                    wasDark = isDark
                }
                return line + "\u{1B}[0m"
            }
        }
    }

    /// The part of a terminal that the code takes.
    func terminalSize(_ form: TerminalForm, quietZone: Int) -> TerminalSize {
        let width = rows.count + 2 * quietZone
        return switch form {
        case .halfBlocks, .ink: TerminalSize(columns: width, rows: (width + 1) / 2)
        case .spaces: TerminalSize(columns: 2 * width, rows: width)
        }
    }
}
