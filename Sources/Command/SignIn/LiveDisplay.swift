internal import Countersign
internal import CountersignRequester
internal import Foundation

/// Draws a sign-in in a terminal: the code in large letters, the QR code beside the text, and a running countdown.
actor LiveDisplay: SignInDisplay {
    private let showsTokens: Bool
    private var countdown: Task<Void, Never>?
    private var trouble: String?

    init(showsTokens: Bool) {
        self.showsTokens = showsTokens
    }

    func show(_ event: SignInEvent) {
        switch event {
        case .discovering:
            break
        case .invitation(let invitation):
            stopCountdown()
            draw(invitation)
            startCountdown(until: invitation.deadline)
        case .waiting:
            trouble = nil
        case .trouble(let trouble, retryingAt: let next):
            self.trouble = SignInWords.trouble(trouble, retryingIn: Int(next.timeIntervalSinceNow))
            if countdown == nil { Terminal.say(self.trouble ?? "") }
        case .confirming, .signedIn, .failed:
            stopCountdown()
        }
    }

    func tell(_ notice: NearbyNotice) {
        guard let words = notice.words else { return }
        Terminal.say("\(countdown == nil ? "" : "\r\u{1B}[K")  \(words)")
    }

    func pause() {
        stopCountdown()
    }

    func finish(_ outcome: Result<SignedIn, SignInError>, savedIn directory: String) {
        stopCountdown()
        guard case .success(let signedIn) = outcome else { return }
        for line in SignInWords.done(signedIn, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }

    func finish(_ outcome: Result<CrossPlatformToken, SignInError>, savedIn directory: String) {
        stopCountdown()
        guard case .success(let token) = outcome else { return }
        for line in SignInWords.done(token, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }

    private func draw(_ invitation: Invitation) {
        let complete = invitation.verificationURIComplete
        if let complete, let code = QRCode(complete.absoluteString), code.terminalWidth <= Terminal.columns {
            Terminal.say("")
            for line in code.terminalLines { Terminal.say("  \(line)") }
        }
        Terminal.say("")
        Terminal.say("  On your phone or computer, open  \u{1B}[1m\(invitation.verificationURI)\u{1B}[0m")
        if let code = invitation.userCode {
            let letters = code.rawValue.map(String.init).joined(separator: " ")
            Terminal.say("  and enter the code               \u{1B}[1m\(letters)\u{1B}[0m")
        } else {
            Terminal.say("  and confirm there; there is no code to enter.")
        }
        if let complete, complete != invitation.verificationURI {
            Terminal.say("  or follow this link              \(complete)")
        }
        Terminal.say("")
    }

    private func startCountdown(until deadline: Date) {
        countdown = Task {
            while !Task.isCancelled {
                self.tick(until: deadline)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func tick(until deadline: Date) {
        guard countdown != nil else { return }
        let left = max(0, Int(deadline.timeIntervalSinceNow.rounded(.up)))
        let seconds = left % 60
        let clock = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
        Terminal.write("\r\u{1B}[K  \(trouble ?? "Waiting for your approval.")  The code works for \(clock).")
    }

    private func stopCountdown() {
        guard let running = countdown else { return }
        running.cancel()
        countdown = nil
        Terminal.write("\r\u{1B}[K")
    }
}
