internal import CQREncode

/// A QR code, as rows of dark and light squares.
package struct QRCode: Sendable {
    /// Whether each square is dark, row by row.
    package let rows: [[Bool]]

    /// The smallest code for `text`; `nil` for a text that is too long.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let squares = code.pointee.data else { return nil }
        rows = (0..<width).map { row in (0..<width).map { squares[row * width + $0] & 1 == 1 } }
    }

    /// The code as the path of its dark squares, and the length of its sides, with the light border of four squares
    /// that readers need.
    ///
    /// Standard: ISO/IEC 18004 §9.1 (quiet zone).
    var svg: (path: String, size: Int) {
        let border = 4
        var path = ""
        for (y, row) in rows.enumerated() {
            var x = 0
            while x < row.count {
                let run = row[x...].prefix { $0 }.count
                if run > 0 { path += "M\(x + border) \(y + border)h\(run)v1h-\(run)z" }
                x += max(run, 1)
            }
        }
        return (path, rows.count + 2 * border)
    }
}
