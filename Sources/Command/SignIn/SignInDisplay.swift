internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// Shows the progress of a sign-in.
protocol SignInDisplay: Sendable {
    /// Shows what has just happened.
    func show(_ event: SignInEvent) async
    /// Shows what happens with phones nearby.
    func tell(_ notice: NearbyNotice) async
    /// Shows that the browser was opened, and the address.
    func opened(_ address: URL) async
    /// Prints nothing until the next event, because a question is being asked.
    func pause() async
    /// Shows how it ended.
    func finish(_ outcome: Result<CompletedSignIn, SignInError>, savedIn directory: String) async
    /// Shows how the request for a service's token ended.
    func finish(_ outcome: Result<CrossPlatformToken, SignInError>, savedIn directory: String) async
}

/// The sentences that all displays share.
enum SignInWords {
    static func opened(_ address: URL) -> [String] {
        [
            "Go on in your browser. If no page has opened there, open this address on this machine:",
            address.absoluteString,
        ]
    }

    /// The sentence with the number that the approving person types.
    static func number(_ number: VerificationNumber) -> String {
        "Somebody opened the link. If it was you, type this number there: \(number)"
    }

    static func done(_ signedIn: CompletedSignIn, savedIn directory: String, showingTokens: Bool) -> [String] {
        let who = signedIn.identity.map { " as \(Confirmation.name(of: $0))" } ?? ""
        var lines = ["Signed in\(who). The tokens are in \(directory)."]
        if showingTokens {
            lines.append("Access token: \(signedIn.accessToken.revealed)")
            if let refresh = signedIn.refreshToken { lines.append("Refresh token: \(refresh.revealed)") }
        }
        return lines
    }

    static func done(_ token: CrossPlatformToken, savedIn directory: String, showingTokens: Bool) -> [String] {
        let service = token.domainDisplayName.map { "\($0) (\(token.domain))" } ?? token.domain.rawValue
        let done =
            switch token.type {
            case .user where token.userName?.isEmpty == false: "Signed in to \(service) as \(token.userName ?? "")."
            case .user: "Signed in to \(service)."
            case .client: "This device may use \(service), without anybody being signed in."
            }
        var lines = ["\(done) The token is in \(directory)."]
        if showingTokens { lines.append("Access token: \(token.accessToken.revealed)") }
        return lines
    }

    static func temporaryFailure(_ temporaryFailure: TemporaryFailure, retryingIn seconds: Int) -> String {
        let what =
            switch temporaryFailure {
            case .notReachable: "The server cannot be reached"
            case .notTrusted: "The server could not prove who it is"
            case .interrupted: "The connection broke"
            case .busy: "The server has too much to do"
            case .serverFault: "The server has trouble"
            }
        return "\(what); trying again in \(max(1, seconds)) s."
    }
}

/// Plain lines, for a log or another program.
actor PlainDisplay: SignInDisplay {
    private let showsTokens: Bool
    /// The number of phones when they were last listed.
    private var listed = 0

    /// A display.
    ///
    /// - Parameter showsTokens: Whether the tokens are printed at the end.
    init(showsTokens: Bool) {
        self.showsTokens = showsTokens
    }

    func show(_ event: SignInEvent) {
        switch event {
        case .invitation(let invitation):
            if let code = invitation.userCode {
                Terminal.say("Open \(invitation.verificationURI) and enter the code \(code).")
            } else {
                Terminal.say("Open \(invitation.verificationURI) and confirm there; there is no code to enter.")
            }
            if let complete = invitation.verificationURIComplete, complete != invitation.verificationURI {
                Terminal.say("Or open \(complete).")
            }
            Terminal.say("The code works until \(invitation.deadline.formatted(.iso8601)).")
        case .temporaryFailure(let temporaryFailure, retryingAt: let next):
            Terminal.say(
                SignInWords.temporaryFailure(
                    temporaryFailure, retryingIn: Int(next.timeIntervalSince(TimeSource.system.now()))))
        case .verificationNumber(let number?):
            Terminal.say(SignInWords.number(number))
        case .link(let link):
            Terminal.say("From now on, open \(link) in place of the link before.")
        case .discovering, .waiting, .verificationNumber(nil), .confirming, .signedIn, .failed:
            break
        }
    }

    func tell(_ notice: NearbyNotice) {
        if case .found(let list, asks: false) = notice {
            // Nothing can be redrawn here, so a long list is printed only when it has doubled.
            let count = list.all.count
            guard count <= NearbyList.mostNamed || count >= 2 * listed || count * 2 < listed else { return }
            listed = count
        }
        if let words = notice.words { Terminal.say(words) }
    }

    func opened(_ address: URL) {
        for line in SignInWords.opened(address) { Terminal.say(line) }
    }

    func pause() {}

    func finish(_ outcome: Result<CompletedSignIn, SignInError>, savedIn directory: String) {
        guard case .success(let signedIn) = outcome else { return }
        for line in SignInWords.done(signedIn, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }

    func finish(_ outcome: Result<CrossPlatformToken, SignInError>, savedIn directory: String) {
        guard case .success(let token) = outcome else { return }
        for line in SignInWords.done(token, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }
}
