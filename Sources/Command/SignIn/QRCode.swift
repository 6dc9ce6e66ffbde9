internal import CQREncode

/// A QR code, as rows of dark and light squares.
struct QRCode: Sendable {
    /// Whether each square is dark, row by row.
    let rows: [[Bool]]

    /// The smallest code that holds `text`; `nil` for a text that none holds.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let squares = code.pointee.data else { return nil }
        rows = (0..<width).map { row in (0..<width).map { squares[row * width + $0] & 1 == 1 } }
    }

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

    /// How many columns of a terminal the code takes.
    var terminalWidth: Int { rows.count + 4 }
}
