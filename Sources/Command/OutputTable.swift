internal import Foundation

/// The columns of a table: their headings, and the cell of a row in each.
typealias Columns<Row> = KeyValuePairs<String, (Row) -> String?>

/// Text in columns. Each is as wide as its widest cell; control characters are replaced.
enum OutputTable {
    /// A table with headings.
    static func text<Row>(of rows: [Row], in columns: Columns<Row>) -> String {
        aligned([columns.map { $0.key.uppercased() }] + rows.map { row in columns.map { $0.value(row) ?? "" } })
    }

    /// Names with their values, a line each.
    static func lines(_ details: KeyValuePairs<String, String>) -> String {
        aligned(details.map { [$0.key, $0.value] })
    }

    private static func aligned(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(\.shown) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let padded = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }
}
