/// The last lines of a terminal, each redrawn in place when it changes.
///
/// The cursor is in the line below them, where the person types: typed text stays, and redrawing does not move the
/// lines above. The area has a fixed height, so a change never scrolls.
struct LiveArea {
    private var lines: [String]
    /// The end of a line that was cut.
    private let ellipsis: String

    /// An area of so many empty lines.
    ///
    /// - Parameters:
    ///   - height: The number of lines.
    ///   - ellipsis: The end of a line that is cut.
    init(height: Int, ellipsis: String = "…") {
        lines = [String](repeating: "", count: height)
        self.ellipsis = ellipsis
    }

    /// The number of lines.
    var height: Int { lines.count }

    /// The text that makes room for the area, below what the terminal shows already; to be written first.
    var opening: String {
        String(repeating: "\u{1B}[K\n", count: lines.count)
    }

    /// The text that shows other lines in the area: the lines that have changed, and nothing of the others.
    ///
    /// - Parameters:
    ///   - new: One line for each line of the area, without line breaks; may contain styles, which have no width.
    ///   - columns: The width of the terminal: what is longer is cut, since a line that wraps would move the others.
    mutating func change(to new: [String], columns: Int) -> String {
        var text = ""
        for (place, line) in new.prefix(lines.count).enumerated() {
            let cut = cut(line, to: columns - 1)
            guard cut != lines[place] else { continue }
            lines[place] = cut
            text += "\u{1B}7\u{1B}[\(lines.count - place)A\r\(cut)\u{1B}[K\u{1B}8"
        }
        return text
    }

    /// The text that empties the line of the person's typing, after they have ended it.
    ///
    /// - Parameters:
    ///   - typed: The line that they ended; it may have taken several rows.
    ///   - columns: The width of the terminal.
    func afterTyping(_ typed: String, columns: Int) -> String {
        "\u{1B}[\(typed.columns / max(columns, 1) + 1)A\r\u{1B}[J"
    }

    /// The text that takes the area off the terminal, with the line of the person's typing.
    var closing: String {
        "\r\u{1B}[\(lines.count)A\u{1B}[J"
    }

    private func cut(_ line: String, to width: Int) -> String {
        guard line.columns > width, width > ellipsis.columns else { return line }
        var (kept, columns, hasStyle) = ("", ellipsis.columns, false)
        for (character, own) in line.measured {
            columns += own
            guard columns <= width else { break }
            kept.append(character)
            hasStyle = hasStyle || character == String.escape
        }
        return kept + (hasStyle ? "\u{1B}[0m" : "") + ellipsis
    }
}

extension String {
    /// The number of a terminal's columns that the text takes; styles take none.
    var columns: Int { measured.reduce(0) { $0 + $1.columns } }

    /// The character that a style begins with; it ends with a letter.
    fileprivate static let escape: Character = "\u{1B}"

    /// Each character, with the columns that it takes: none where it belongs to a style.
    fileprivate var measured: [(character: Character, columns: Int)] {
        var isStyle = false
        return map { character in
            isStyle = isStyle || character == Self.escape
            defer { if character.isLetter { isStyle = false } }
            return (character, isStyle ? 0 : character.columns)
        }
    }
}

extension Character {
    /// The number of a terminal's columns that the character takes: two, for East Asian wide characters and pictures.
    ///
    /// Standard: Unicode Standard Annex #11, by blocks.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        let isWide = scalar.properties.isEmojiPresentation || Self.wide.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F64F, 0x1F680...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
