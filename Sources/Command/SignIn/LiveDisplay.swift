internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import Foundation

/// The screen of a terminal: the code large, the QR code next to the words, and below them lines that are redrawn in
/// place: the phones nearby, what happens with them, the digits for one of them, and a countdown.
actor LiveDisplay: SignInDisplay {
    private let showsTokens: Bool
    private let looksNearby: Bool
    private var area: LiveArea?
    private var countdown: Task<Void, Never>?
    private var deadline = Date.distantPast
    /// The invitation above the lines that are redrawn, the lines that were said since, and the number of the terminal's
    /// rows that both take.
    private var (invitation, said, rows) = (Invitation?.none, [String](), 0)
    private var temporaryFailure: String?
    /// The phones nearby, the latest event of one of them, and the digits to type on it.
    private var (found, event, code) = ("", "", "")
    /// The number for a person who opened the link.
    private var number: VerificationNumber?
    /// The text to show when the lines are removed.
    private var lastWords: String?

    /// A display.
    ///
    /// - Parameters:
    ///   - showsTokens: Whether the tokens are printed at the end.
    ///   - looksNearby: Whether there are lines for phones nearby.
    init(showsTokens: Bool, looksNearby: Bool) {
        self.showsTokens = showsTokens
        self.looksNearby = looksNearby
    }

    func show(_ event: SignInEvent) async {
        switch event {
        case .discovering, .began(.browser), .began(.code), .nearby:
            break
        case .began(.nearby):
            // A new search knows nothing of the phones of the one before.
            (found, self.event, code) = ("", "", "")
        case .presenting, .notAccepted, .began(.push), .opened, .ended, .codeAccepted:
            await say(event)
        case .invitation(let invitation):
            await close()
            draw(invitation)
            await open(until: invitation.deadline)
        case .waiting(until: let deadline):
            temporaryFailure = nil
            if area == nil { await open(until: deadline) } else { self.deadline = deadline }
        case .temporaryFailure:
            temporaryFailure = event.sentence
            if area == nil { await say(event) }
        case .link(let link):
            await replace(link)
        case .verificationNumber(let number):
            self.number = number
            redraw()
        case .confirming, .signedIn, .failed:
            await close()
        }
    }

    func tell(_ notice: NearbyNotice) {
        switch notice {
        case .found(_, asks: let asks):
            found = notice.words ?? ""
            // A partly typed number does not belong to the new list.
            if asks, area != nil { Terminal.write("\r\u{1B}[K") }
        case .event(.found): break
        case .event(.progress): event = notice.words ?? event
        case .event(.code): (event, code) = ("", notice.words ?? "")
        case .event(.codeIsOver): code = ""
        case .event(.ended) where area == nil:
            if let words = notice.words { write("  \(words)") }
        case .event(.ended): lastWords = notice.words
        }
        redraw()
    }

    func pause() async {
        await close()
    }

    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) async {
        await close()
        guard case .success(let result) = outcome else { return }
        for line in SignInWords.done(result, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }

    /// Says what an event says in a line that stays, above those that are redrawn.
    private func say(_ event: SignInEvent) async {
        guard let sentence = event.sentence else { return }
        let isOpen = area != nil
        await close()
        write("  \(sentence)")
        if isOpen { await open(until: deadline) }
    }

    private func write(_ line: String) {
        said.append(line)
        rows += Self.rows(of: line)
        Terminal.say(line)
    }

    /// Replaces the link and its QR code.
    private func replace(_ link: URL) async {
        guard let shown = invitation?.linked(by: link), area != nil else { return }
        await close()
        Terminal.write("\u{1B}[\(rows)A\u{1B}[J")
        let said = said
        draw(shown)
        for line in said { write(line) }
        await open(until: deadline)
    }

    private func draw(_ invitation: Invitation) {
        self.invitation = invitation
        let complete = invitation.verificationURIComplete
        var lines: [String] = []
        if let complete, let code = QRCode(complete.absoluteString), code.terminalWidth <= Terminal.columns {
            lines = [""] + code.terminalLines.map { "  \($0)" }
        }
        lines += ["", "  On your phone or computer, open  \u{1B}[1m\(invitation.verificationURI)\u{1B}[0m"]
        if let code = invitation.userCode {
            let letters = code.rawValue.map(String.init).joined(separator: " ")
            lines.append("  and enter the code               \u{1B}[1m\(letters)\u{1B}[0m")
        } else {
            lines.append("  and confirm there; there is no code to enter.")
        }
        if let complete, complete != invitation.verificationURI {
            lines.append("  or follow this link              \(complete)")
        }
        lines.append("")
        (said, rows) = ([], lines.reduce(0) { $0 + Self.rows(of: $1) })
        for line in lines { Terminal.say(line) }
    }

    /// The number of the terminal's rows that a line takes: more than one where it is longer than the terminal is wide.
    private static func rows(of line: String) -> Int {
        max(1, (line.columns + Terminal.columns - 1) / max(1, Terminal.columns))
    }

    // The lines that are redrawn.

    private func open(until deadline: Date) async {
        self.deadline = deadline
        let area = LiveArea(height: looksNearby ? 5 : 2)
        self.area = area
        Terminal.write(area.opening)
        redraw()
        await TypedLines.standard.follow { [weak self] line in await self?.typed(line) }
        countdown = Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil { await self?.redraw() }
        }
    }

    private func redraw() {
        let left = max(0, Int(deadline.timeIntervalSince(TimeSource.system.now()).rounded(.up)))
        let seconds = left % 60
        let clock = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
        let words = temporaryFailure ?? SignInEvent.waiting(until: deadline).sentence ?? ""
        let waiting = invitation == nil ? "\(words)  (\(clock))" : "The code works for \(clock).  \(words)"
        let asked = number.map { number in
            let digits = number.rawValue.map(String.init).joined(separator: " ")
            // The number first: a narrow terminal cuts the end.
            return "\u{1B}[1m\(digits)\u{1B}[0m  is the number to type if you are asked for one. Tell it to nobody."
        }
        let lines = (looksNearby ? [found, event, code] : []) + [asked ?? "", waiting]
        guard let text = area?.change(to: lines.map { $0.isEmpty ? "" : "  \($0)" }, columns: Terminal.columns) else {
            return
        }
        Terminal.write(text)
    }

    /// The person has ended a line: the cursor goes back to the line that they type in.
    private func typed(_ line: String) {
        guard let area else { return }
        Terminal.write(area.afterTyping(line, columns: Terminal.columns))
    }

    private func close() async {
        countdown?.cancel()
        countdown = nil
        guard let closed = area else { return }
        area = nil
        Terminal.write(closed.closing)
        if let lastWords { write("  \(lastWords)") }
        lastWords = nil
        await TypedLines.standard.follow(nil)
    }
}
