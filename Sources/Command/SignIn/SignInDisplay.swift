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
    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) async
}

extension SignInDisplay {
    /// Signs in, and shows how it ended.
    ///
    /// - Throws: a ``CommandError`` with the exit status of the error.
    func finishing(
        savedIn directory: String,
        _ signIn: () async throws(SignInError) -> some SignInResult
    ) async throws {
        do throws(SignInError) {
            let result = try await signIn()
            await finish(.success(result), savedIn: directory)
        } catch {
            await finish(Result<CompletedSignIn, SignInError>.failure(error), savedIn: directory)
            throw CommandError(error)
        }
    }
}

/// The sentences that all displays share.
enum SignInWords {
    /// The lines about a sign-in that succeeded.
    static func done(_ result: some SignInResult, savedIn directory: String, showingTokens: Bool) -> [String] {
        ["\(result.sentence) \(directory)."] + (showingTokens ? result.tokenLines : [])
    }

    static func opened(_ address: URL) -> [String] {
        [
            "Go on in your browser. If no page has opened there, open this address on this machine:",
            address.absoluteString,
        ]
    }

    /// The sentence with the number that the approving person types.
    static func number(_ number: VerificationNumber) -> String {
        "The link was opened. If it was you, type this number there: \(number)"
    }

    static func temporaryFailure(_ temporaryFailure: TemporaryFailure, retryingIn seconds: Int) -> String {
        let what =
            switch temporaryFailure {
            case .notReachable: "The server cannot be reached"
            case .notTrusted: "The server's certificate could not be verified"
            case .interrupted: "The connection broke"
            case .busy: "The server is busy"
            case .serverFault: "The server has failed"
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

    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) {
        guard case .success(let result) = outcome else { return }
        for line in SignInWords.done(result, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }
}
