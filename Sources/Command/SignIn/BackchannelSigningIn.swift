internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The options of `signin --backchannel`: a named person approves on their device.
struct BackchannelOptions: ParsableArguments {
    @Flag(help: "Let the person whom --person names approve on a device of theirs (OpenID CIBA).")
    var backchannel = false

    @Option(help: "With --backchannel, the name with which the person signs in.")
    var person: String?

    @Option(help: "With --backchannel, words that the person sees beside the request, too.")
    var message: String?

    @Option(
        help: ArgumentHelp(
            "With --backchannel, a file with the code that the person chose for such requests.", valueName: "file"))
    var userCodeFile: String?

    /// Whether any of these was given.
    var isChosen: Bool { backchannel || person != nil || message != nil || userCodeFile != nil }

    func asks() throws -> PersonHint {
        guard backchannel else {
            throw CommandError.usage(
                "--person, --message and --user-code-file go with --backchannel, which is missing.")
        }
        guard let person else { throw CommandError.usage("--backchannel takes --person: who is asked.") }
        return .login(person)
    }

    /// The request to send.
    func asked(for scope: Scope) throws -> BackchannelAuthenticationRequest {
        var asked = BackchannelAuthenticationRequest(for: try asks(), scope: scope)
        asked.userCode = try userCodeFile.map { try SuppliedText.secret(in: $0) }
        if let message {
            let words = try BindingMessage(parsing: message).or(
                usage: "The message is one line of at most \(BindingMessage.longest) characters.")
            asked.bindingMessage = words
        }
        return asked
    }
}

/// One sign-in over the back channel, from the request to the last line.
struct BackchannelSigningIn: Sendable {
    let signIn: BackchannelSignIn
    let asked: BackchannelAuthenticationRequest
    let display: any SignInDisplay
    /// Whether only events are shown.
    let isQuiet: Bool

    /// Asks, waits for the person and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws {
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            let awaited = try await signIn.start(asked)
            await show(awaited.response)
            switch try await signIn.outcome(of: awaited) {
            case .signedIn(let signedIn): return signedIn
            case .denied: throw SignInError(.denied, because: "the person refused")
            case .expired: throw SignInError(.expired, because: "nobody approved in time")
            }
        }
    }

    /// Shows that the person is asked, and the number without which they cannot approve.
    private func show(_ response: BackchannelAuthenticationResponse) async {
        guard !isQuiet else {
            await display.show(.waiting(until: TimeSource.system.now() + TimeInterval(response.expiresIn)))
            if let number = response.verificationNumber {
                await display.show(.verificationNumber(VerificationNumber(number)))
            }
            return
        }
        Terminal.say("Asked. The person has \(response.expiresIn) s to approve.")
        if let number = response.verificationNumber {
            let event = SignInEvent.verificationNumber(VerificationNumber(number.shown))
            if let sentence = event.sentence { Terminal.say(sentence) }
        }
    }
}
