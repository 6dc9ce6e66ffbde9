internal import Countersign
internal import CountersignServer
internal import FoundationEssentialsCompat

/// The lines of a terminal that show an invitation: its words, and the QR code of its link where that has room.
///
/// The code is above the words, or to their left where the rows do not suffice. Its light border has the four squares of
/// the standard, and fewer only where no place is large enough for those.
struct InvitationLayout: Sendable, Equatable {
    /// The lines; they may contain styles, which have no width.
    let lines: [String]
    /// Whether the QR code is among them.
    let showsQRCode: Bool

    /// Lays an invitation out.
    ///
    /// - Parameters:
    ///   - invitation: The invitation.
    ///   - space: The part of the terminal for it.
    ///   - form: The characters of the QR code.
    ///   - notes: Lines that belong to the words; none by default.
    init(_ invitation: Invitation, in space: TerminalSize, as form: QRCode.TerminalForm, noting notes: [String] = []) {
        let words = Words(invitation, notes)
        guard let complete = invitation.verificationURIComplete, let code = QRCode(complete.absoluteString) else {
            self.init(lines: [""] + words.inRows + [""], showsQRCode: false)
            return
        }
        if let lines = Self.lines(of: code, as: form, with: words, in: space) {
            self.init(lines: lines, showsQRCode: true)
            return
        }
        var sentences = ["  This terminal is too small for a QR code."]
        // Half blocks take half of the columns and half of the rows.
        if form == .spaces, Self.lines(of: code, as: .halfBlocks, with: words, in: space) != nil {
            sentences.append("  In a UTF-8 locale, such as LC_ALL=C.UTF-8, one fits.")
        }
        self.init(lines: [""] + words.inRows + sentences + [""], showsQRCode: false)
    }

    /// The lines with a QR code; `nil` where it has no place.
    private static func lines(
        of code: QRCode, as form: QRCode.TerminalForm, with words: Words, in space: TerminalSize
    ) -> [String]? {
        for quietZone in [4, 3, 2, 1] {
            let size = code.terminalSize(form, quietZone: quietZone)
            let picture = code.terminalLines(form, quietZone: quietZone).map { "  \($0)" }
            for lines in words.placements(of: picture, columns: size.columns + 2)
            where space.holds(TerminalSize(columns: lines.width, rows: space.rows(of: lines.all))) {
                return lines.all
            }
        }
        return nil
    }

    private init(lines: [String], showsQRCode: Bool) {
        self.lines = lines
        self.showsQRCode = showsQRCode
    }
}

extension InvitationLayout {
    /// The words of an invitation.
    private struct Words {
        private let address: String
        private let code: String?
        /// The link that names the code, where it is another address.
        private let link: String?
        private let notes: [String]

        init(_ invitation: Invitation, _ notes: [String]) {
            self.notes = notes
            address = "\u{1B}[1m\(invitation.verificationURI)\u{1B}[0m"
            code = invitation.userCode.map { code in
                "\u{1B}[1m\(code.rawValue.map(String.init).joined(separator: " "))\u{1B}[0m"
            }
            let complete = invitation.verificationURIComplete
            link = complete == invitation.verificationURI ? nil : complete?.absoluteString
        }

        /// The words in rows of their own.
        var inRows: [String] {
            var lines = ["  On your phone or computer, open  \(address)"]
            if let code {
                lines.append("  and enter the code               \(code)")
            } else {
                lines.append("  and confirm there; there is no code to enter.")
            }
            if let link { lines.append("  or follow this link              \(link)") }
            return lines + notes.map { "  \($0)" }
        }

        /// The words for a column beside a picture; the link is not among them, since it is too long.
        private var inColumn: [String] {
            ["On your phone or computer, open", address, ""]
                + (code.map { ["and enter the code", $0] } ?? ["and confirm there; there is", "no code to enter."])
                + (notes.isEmpty ? [] : [""] + notes)
        }

        /// The places for a picture, the best first.
        ///
        /// - Parameters:
        ///   - picture: The lines of the picture.
        ///   - columns: The width of its lines.
        func placements(of picture: [String], columns: Int) -> [(all: [String], width: Int)] {
            let above = ([""] + picture + [""] + inRows + [""], columns)
            let column = inColumn
            guard column.count <= picture.count else { return [above] }
            let top = (picture.count - column.count) / 2
            let beside = picture.enumerated().map { row, line in
                let place = row - top
                return column.indices.contains(place) ? "\(line)  \(column[place])" : line
            }
            let width = columns + 2 + (column.map(\.columns).max() ?? 0)
            // The picture has the link as well, so the link as text goes before the border shrinks.
            let withLink = link.map { ([""] + beside + ["", "  or follow this link  \($0)", ""], width) }
            return [above] + [withLink, ([""] + beside + [""], width), (beside, width)].compactMap(\.self)
        }
    }
}

extension Invitation {
    /// The words of an invitation that is the alternative to another way, in two lines.
    var alternativeLines: [String] {
        let place = "Or open \(verificationURI) on another device"
        guard let userCode else { return ["\(place),", "and confirm there."] }
        return ["\(place),", "and enter the code  \(userCode)"]
    }
}
