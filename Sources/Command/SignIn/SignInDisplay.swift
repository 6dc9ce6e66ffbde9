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

extension Terminal {
    /// The display of a sign-in for a person: redrawn in place where this terminal can be, otherwise plain lines.
    static func signInDisplay(
        showsTokens: Bool = false,
        looksNearby: Bool,
        noting notes: [String] = []
    ) -> any SignInDisplay {
        guard redraws else { return PlainDisplay(showsTokens: showsTokens) }
        return LiveDisplay(showsTokens: showsTokens, looksNearby: looksNearby, noting: notes)
    }
}

/// The sentences that all displays share.
enum SignInWords {
    /// The lines about a sign-in that succeeded.
    static func done(_ result: some SignInResult, savedIn directory: String, showingTokens: Bool) -> [String] {
        ["\(result.sentence) \(directory)."] + [result.sentenceOnScope].compactMap(\.self)
            + (showingTokens ? result.tokenLines : [])
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
            say(event)
            if let complete = invitation.verificationURIComplete, complete != invitation.verificationURI {
                Terminal.say("Or open \(complete).")
            }
            Terminal.say("The code works until \(invitation.deadline.formatted(.iso8601)).")
        case .presenting, .notAccepted, .began(.nearby), .began(.push), .opened, .ended, .invitationHidden,
            .codeAccepted, .verificationNumber, .link, .temporaryFailure:
            say(event)
        case .discovering, .began, .nearby, .waiting, .confirming, .signedIn, .failed:
            break
        }
    }

    private func say(_ event: SignInEvent) {
        if let sentence = event.sentence { Terminal.say(sentence) }
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

    func pause() {}

    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) {
        guard case .success(let result) = outcome else { return }
        for line in SignInWords.done(result, savedIn: directory, showingTokens: showsTokens) { Terminal.say(line) }
    }
}
