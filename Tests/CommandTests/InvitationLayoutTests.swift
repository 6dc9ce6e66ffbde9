import Countersign
import Foundation
import Testing

@testable import CountersignCommand
@testable import CountersignServer

@Suite("An invitation on a terminal")
struct InvitationLayoutTests {
    private static let link = "https://id.example.com/activate?user_code=WDJB-MJHT&at=0123456789abcdef"

    private static func invitation(_ link: String? = link) throws -> Invitation {
        Invitation(
            userCode: UserCodeText(rawValue: "WDJB-MJHT"),
            verificationURI: try #require(URL(string: "https://id.example.com/activate")),
            verificationURIComplete: try link.map { try #require(URL(string: $0)) },
            deadline: Date(timeIntervalSince1970: 1_800_000_000)
        )
    }

    @Test(arguments: [QRCode.TerminalForm.halfBlocks, .spaces])
    func `never takes more than the rows and columns of the terminal`(form: QRCode.TerminalForm) throws {
        let invitation = try Self.invitation()
        var (withCode, without) = (0, 0)
        for columns in [40, 60, 80, 100, 200] {
            for rows in 8...80 {
                let space = TerminalSize(columns: columns, rows: rows)
                let layout = InvitationLayout(invitation, in: space, as: form)
                let pictures = layout.lines.filter { $0.contains("[38;5;") || $0.contains("[48;5;") }
                #expect(pictures.isEmpty == !layout.showsQRCode)
                #expect(pictures.allSatisfy { $0.columns <= columns }, "\(columns)x\(rows)")
                if layout.showsQRCode {
                    #expect(space.rows(of: layout.lines) <= rows, "\(columns)x\(rows)")
                    withCode += 1
                } else {
                    #expect(layout.lines.contains("  This terminal is too small for a QR code."))
                    without += 1
                }
            }
        }
        #expect(withCode > 0 && without > 0)
    }

    @Test(arguments: [2, 5])
    func `has its QR code beside the words on a terminal of 80 columns and 24 rows`(linesBelow: Int) throws {
        let space = TerminalSize(columns: 80, rows: 24 - linesBelow - 1)
        let layout = InvitationLayout(try Self.invitation(), in: space, as: .halfBlocks)
        #expect(layout.showsQRCode)
        let text = layout.lines.joined(separator: "\n")
        #expect(text.contains("https://id.example.com/activate\u{1B}") && text.contains("W D J B - M J H T"))
    }

    @Test func `gives up the light border only where it must`() throws {
        func border(_ rows: Int) throws -> Int? {
            let space = TerminalSize(columns: 80, rows: rows)
            let lines = InvitationLayout(try Self.invitation(), in: space, as: .halfBlocks).lines
            let code = try #require(QRCode(Self.link))
            return (0...4).first { quietZone in
                code.terminalLines(.halfBlocks, quietZone: quietZone)
                    .allSatisfy { line in lines.contains { $0.hasPrefix("  \(line)") } }
            }
        }
        let height = try #require(QRCode(Self.link)).terminalSize(.halfBlocks, quietZone: 4).rows
        #expect(try border(60) == 4)
        #expect(try border(height) == 4)
        #expect(try border(height - 1) == 3)
        #expect(try border(height - 3) == 1)
        #expect(try border(height - 4) == nil)
    }

    @Test func `says the link in words where there is no QR code, and speaks of none without a link`() throws {
        let small = TerminalSize(columns: 80, rows: 8)
        let words = InvitationLayout(try Self.invitation(), in: small, as: .halfBlocks)
        #expect(!words.showsQRCode && words.lines.contains { $0.hasSuffix(Self.link) })
        let layout = InvitationLayout(try Self.invitation(nil), in: small, as: .halfBlocks)
        #expect(!layout.showsQRCode && !layout.lines.joined().contains("QR"))
    }

    @Test func `says that a QR code fits in a UTF-8 locale, where it does`() throws {
        func advice(_ rows: Int, _ form: QRCode.TerminalForm) throws -> Bool {
            InvitationLayout(try Self.invitation(), in: TerminalSize(columns: 80, rows: rows), as: form).lines
                .contains("  In a UTF-8 locale, such as LC_ALL=C.UTF-8, one fits.")
        }
        #expect(try advice(24, .spaces))
        #expect(try !advice(24, .halfBlocks) && !advice(8, .spaces) && !advice(8, .halfBlocks))
    }

    @Test(arguments: [8, 19, 24, 80])
    func `has its notes beside the QR code, and below the words without one`(rows: Int) throws {
        let notes = ["and sign in there as anna,", "password open-sesame-0123456789"]
        let space = TerminalSize(columns: 80, rows: rows)
        let layout = InvitationLayout(try Self.invitation(), in: space, as: .halfBlocks, noting: notes)
        for note in notes { #expect(layout.lines.contains { $0.hasSuffix("  \(note)") }, "\(layout.lines)") }
        let plain = InvitationLayout(try Self.invitation(), in: space, as: .halfBlocks)
        #expect(layout.showsQRCode == plain.showsQRCode)
        #expect(!layout.showsQRCode || space.rows(of: layout.lines) <= rows)
    }

    @Test func `has the same squares in both forms`() throws {
        let code = try #require(QRCode(Self.link))
        let width = code.rows.count + 2
        let expected = (0..<width).map { row in
            (0..<width).map { column in
                code.rows.indices.contains(row - 1) && code.rows.indices.contains(column - 1)
                    && code.rows[row - 1][column - 1]
            }
        }
        let spaces = code.terminalLines(.spaces, quietZone: 1).map { line in
            line.matches(of: /\[48;5;(16|231)m( +)/).flatMap { run in
                Array(repeating: run.1 == "16", count: run.2.count / 2)
            }
        }
        #expect(spaces == expected)
        let blocks = code.terminalLines(.halfBlocks, quietZone: 1).flatMap { line in
            let squares = line.replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
            return [squares.map { "█▀".contains($0) }, squares.map { "█▄".contains($0) }]
        }
        #expect(Array(blocks.prefix(width)) == expected)
        #expect(blocks.dropFirst(width).allSatisfy { !$0.contains(true) })
    }
}

@Suite("The rows that are drawn again in place")
struct DrawnRowsTests {
    private let size = TerminalSize(columns: 80, rows: 24)

    @Test func `are taken off from their first row on`() {
        var drawn = DrawnRows(in: size)
        drawn.add(["", String(repeating: "x", count: 81), "\u{1B}[1mstyled\u{1B}[0m"])
        #expect(drawn.count == 4)
        #expect(drawn.removal == "\u{1B}[4A\u{1B}[J")
    }

    @Test func `are out of reach once they have left the screen, or the terminal has another size`() {
        var drawn = DrawnRows(in: size)
        drawn.add(Array(repeating: "row", count: 21))
        #expect(drawn.isInReach(now: size, above: 2))
        #expect(!drawn.isInReach(now: TerminalSize(columns: 79, rows: 24), above: 2))
        drawn.add(["The link was opened."])
        #expect(!drawn.isInReach(now: size, above: 2))
    }
}

@Suite("The encoding of a terminal's locale")
struct LocaleEncodingTests {
    @Test(
        arguments: [
            (["LANG": "en_GB.UTF-8"], true), (["LANG": "C.utf8"], true), (["LC_CTYPE": "UTF-8"], true),
            (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "de_DE.UTF-8"], true),
            (["LC_ALL": "", "LANG": "fr_FR.UTF-8"], true), (["LANG": "de_DE.ISO-8859-1"], false), ([:], false),
        ] as [([String: String], Bool)])
    func `is that of the first variable that is set`(environment: [String: String], isUTF8: Bool) {
        #expect(LocaleEncoding(environment).isUTF8 == isUTF8)
    }

    @Test func `gives plain characters for the decorated ones, and leaves the letters of names alone`() {
        let plain = LocaleEncoding(["LANG": "C"])
        #expect(plain.legible("‘Kitchen TV’ • Anna’s “phone” …") == "'Kitchen TV' * Anna's \"phone\" ...")
        #expect(plain.legible("1 – 2 → 3") == "1 - 2 -> 3")
        #expect(plain.legible("Zoë 電話") == "Zoë 電話")
        #expect(LocaleEncoding(["LANG": "C.UTF-8"]).legible("‘…’") == "‘…’")
    }

    @Test func `ends a cut line by plain characters that fit as well`() {
        var area = LiveArea(height: 1, ellipsis: "...")
        let text = area.change(to: [String(repeating: "x", count: 500)], columns: 20)
        #expect(text.contains("\r" + String(repeating: "x", count: 16) + "...\u{1B}"))
    }
}
