internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import Foundation

/// The screen of a terminal: the code large, the QR code above or next to the words, and below them lines that are
/// redrawn in place: the phones nearby, what happens with them, the digits for one of them, and a countdown.
actor LiveDisplay: SignInDisplay {
    private let showsTokens: Bool
    private let looksNearby: Bool
    private let notes: [String]
    private var area: LiveArea?
    private var countdown: Task<Void, Never>?
    private var deadline = Date.distantPast
    /// The invitation above the lines that are redrawn, the lines that were said since, and the rows of both.
    private var (invitation, said, drawn) = (Invitation?.none, [String](), DrawnRows(in: Terminal.size))
    private var temporaryFailure: String?
    /// The phones nearby, the latest event of one of them, and the digits to type on it.
    private var (found, event, code) = ("", "", "")
    /// The number for a person who opened the link, or who is asked by push.
    private var number: VerificationNumber?
    /// Whether a person is asked by push: then the number comes first, and the code below it is the alternative.
    private var isPushed = false
    /// The invitation in the lines that are redrawn, as the alternative to a push message.
    private var alternative: Invitation?
    /// The text to show when the lines are removed.
    private var lastWords: String?

    /// A display.
    ///
    /// - Parameters:
    ///   - showsTokens: Whether the tokens are printed at the end.
    ///   - looksNearby: Whether there are lines for phones nearby.
    ///   - notes: Lines beside the code; none by default.
    init(showsTokens: Bool, looksNearby: Bool, noting notes: [String] = []) {
        self.notes = notes
        self.showsTokens = showsTokens
        self.looksNearby = looksNearby
    }

    func show(_ event: SignInEvent) async {
        switch event {
        case .discovering, .began(.browser), .began(.code), .nearby:
            break
        case .began(.nearby):
            // A new search knows nothing of the phones of the one before.
            (found, self.event, code) = (Self.search, "", "")
            redraw()
        case .presenting, .notAccepted, .opened, .codeAccepted:
            await say(event)
        case .began(.push):
            isPushed = true
            await say(event)
        case .ended(let way, _):
            if way == .push { isPushed = false }
            await say(event)
        case .invitation(let invitation):
            await close()
            alternative = isPushed ? invitation : nil
            if !isPushed { draw(invitation) }
            await open(until: invitation.deadline)
        case .invitationHidden:
            await hideInvitation()
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
            found = notice.words ?? Self.search
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
        let line = Terminal.encoding.legible(line)
        said.append(line)
        drawn.add([line])
        Terminal.say(line)
    }

    /// Replaces the link and its QR code in place. Where they are out of the terminal's reach, because other lines have
    /// moved them or its size has changed, the new link is a further line.
    private func replace(_ link: URL) async {
        guard let shown = invitation?.linked(by: link), let area else { return }
        guard drawn.isInReach(now: Terminal.size, above: area.height) else {
            invitation = shown
            return await say(.link(link))
        }
        await close()
        Terminal.write(drawn.removal)
        let said = said
        draw(shown)
        for line in said { write(line) }
        await open(until: deadline)
    }

    /// Takes the invitation off the terminal. Where it is out of reach, because other lines have moved it, a line says that
    /// it is not needed.
    private func hideInvitation() async {
        guard let area else { return }
        guard alternative != nil || drawn.isInReach(now: Terminal.size, above: area.height) else {
            invitation = nil
            return await say(.invitationHidden)
        }
        await close()
        var lines: [String] = []
        if invitation != nil {
            Terminal.write(drawn.removal)
            lines = said
            (drawn, said) = (DrawnRows(in: Terminal.size), [])
        }
        (invitation, alternative) = (nil, nil)
        for line in lines { write(line) }
        await open(until: deadline)
    }

    private func draw(_ invitation: Invitation) {
        drawn = DrawnRows(in: Terminal.size)
        // Below it are the lines that are redrawn, and the one that the person types in.
        let space = TerminalSize(columns: drawn.size.columns, rows: drawn.size.rows - height - 1)
        let form: QRCode.TerminalForm = Terminal.encoding.isUTF8 ? .halfBlocks : .spaces
        let lines = InvitationLayout(invitation, in: space, as: form, noting: notes).lines
        (self.invitation, said) = (invitation, [])
        drawn.add(lines)
        for line in lines { Terminal.say(line) }
    }

    // The lines that are redrawn.

    /// The number of lines.
    private var height: Int { (looksNearby ? 5 : 2) + (alternative == nil ? 0 : 2) }

    /// The line about phones nearby until one is found.
    private static let search = SignInEvent.began(.nearby).sentence ?? ""

    private func open(until deadline: Date) async {
        self.deadline = deadline
        let area = LiveArea(height: height, ellipsis: Terminal.encoding.legible("…"))
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
        let (nearby, numbers) = (looksNearby ? [found, event, code] : [], [asked ?? ""])
        let lines = (isPushed ? numbers + nearby : nearby + numbers) + [waiting] + (alternative?.alternativeLines ?? [])
        let legible = lines.map { $0.isEmpty ? "" : "  \(Terminal.encoding.legible($0))" }
        guard let text = area?.change(to: legible, columns: Terminal.size.columns) else { return }
        Terminal.write(text)
    }

    /// The person has ended a line: the cursor goes back to the line that they type in.
    private func typed(_ line: String) {
        guard let area else { return }
        Terminal.write(area.afterTyping(line, columns: Terminal.size.columns))
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
