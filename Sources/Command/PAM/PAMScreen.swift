internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import FoundationEssentialsCompat

/// The screen of a person at an application of the system, by way of the PAM module.
///
/// An application that shows texts at once gets each of them, and no key is needed. OpenSSH holds texts back until
/// there is something to type: there a text is a prompt to which Enter is the only answer, and one that comes while a
/// prompt stands follows it. A decision does not wait for Enter: the module reads it once Enter was pressed.
actor PAMScreen {
    private let rule: PAMServiceRule
    /// Whether a prompt stands.
    private var isAsking = false
    /// The text that came while a prompt stood.
    private var next: String?

    init(for rule: PAMServiceRule) {
        self.rule = rule
    }

    /// Shows a text that the person needs to approve.
    func show(_ text: String) {
        if rule.showsTexts {
            PAMLine.info(text).send()
        } else if isAsking {
            next = text
        } else {
            ask(text)
        }
    }

    /// Tells something that the person can do without: nothing where they had to press Enter for it.
    func tell(_ text: String) {
        if rule.showsTexts { PAMLine.info(text).send() }
    }

    private func ask(_ text: String) {
        isAsking = true
        PAMLine.prompt("\(text)\nApprove there, then press Enter: ").send()
        Task { answered(await TypedLines.standard.next()) }
    }

    /// Goes on after a line of the module, which is `nil` at its end.
    private func answered(_ line: String?) {
        isAsking = false
        guard line?.hasPrefix("answer") == true, let text = next else { return }
        next = nil
        ask(text)
    }
}

extension PAMScreen {
    /// Shows an event of a sign-in.
    func show(_ event: SignInEvent) {
        switch event {
        case .invitation(let invitation): show(text(for: invitation))
        case .verificationNumber(let number?): show(Self.text(for: number))
        case .nearby(.code(let code, let phone), _):
            show("In the app on \(phone.name.description.shown), type these digits: \(code.shown)")
        default: break
        }
    }

    /// The text for a number that the person has to type.
    static func text(for number: VerificationNumber) -> String {
        "Open the request on your phone, and type this number there: \(number.rawValue.shown)"
    }

    /// The text for an invitation, with the QR code of its link where the rule wants it.
    private func text(for invitation: Invitation) -> String {
        let link = (invitation.verificationURIComplete ?? invitation.verificationURI).absoluteString.shown
        var lines: [String] = []
        if rule.showsQRCode, Terminal.encoding.isUTF8, let code = QRCode(link) {
            lines += code.terminalLines(.ink, quietZone: 2)
        }
        lines.append("Open \(link)")
        if let code = invitation.userCode { lines.append("The code is \(code.rawValue.shown)") }
        return lines.joined(separator: "\n")
    }
}
