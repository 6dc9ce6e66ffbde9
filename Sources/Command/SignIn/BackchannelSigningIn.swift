internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The options of `signin --backchannel`: a person who is named approves on a device of theirs.
struct BackchannelOptions: ParsableArguments {
    @Flag(name: .long, help: "Let the person whom --person names approve on a device of theirs (OpenID CIBA).")
    var backchannel = false

    @Option(name: .long, help: "With --backchannel, the name with which the person signs in.")
    var person: String?

    @Option(name: .long, help: "With --backchannel, words that the person sees beside the request, too.")
    var message: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --backchannel, a file with the code that the person chose for such requests.", valueName: "file"))
    var userCodeFile: String?

    /// Whether any of these was given.
    var isChosen: Bool { backchannel || person != nil || message != nil || userCodeFile != nil }

    /// The request to send.
    func asked(for scope: Scope) throws -> BackchannelAuthenticationRequest {
        guard backchannel, let person else {
            throw Failure("--backchannel and --person belong together.", status: .usage)
        }
        var asked = BackchannelAuthenticationRequest(for: .login(person), scope: scope)
        if let userCodeFile {
            guard let bytes = FileManager.default.contents(atPath: userCodeFile) else {
                throw Failure("The file \(userCodeFile) cannot be read.")
            }
            asked.userCode = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        if let message {
            guard let words = BindingMessage(parsing: message) else {
                throw Failure(
                    "The message is one line of at most \(BindingMessage.longest) characters.", status: .usage)
            }
            asked.bindingMessage = words
        }
        return asked
    }
}

/// One sign-in over the back channel, from the request to the last line.
struct BackchannelSigningIn: Sendable {
    let signIn: BackchannelSignIn
    let asked: BackchannelAuthenticationRequest
    let client: ClientID
    let store: SealedFileTokenStore
    let display: any SignInDisplay
    let isQuiet: Bool

    /// Asks, waits for the person, keeps the tokens and prints the result.
    ///
    /// - Throws: a ``Failure`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws {
        let outcome: Result<SignedIn, SignInError>
        do throws(SignInError) {
            let awaited = try await signIn.start(asked)
            if !isQuiet { Terminal.say("Asked. The person has \(awaited.response.expiresIn) s to approve.") }
            if let number = awaited.response.verificationNumber {
                // Without it the person cannot approve.
                Terminal.say("They are asked for this number, which you tell them: \(number)")
            }
            switch try await signIn.outcome(of: awaited) {
            case .signedIn(let signedIn): outcome = .success(signedIn)
            case .denied: outcome = .failure(SignInError(.denied, because: "the person refused"))
            case .expired: outcome = .failure(SignInError(.expired, because: "nobody approved in time"))
            }
        } catch {
            outcome = .failure(error)
        }
        if case .success(let signedIn) = outcome {
            let key = TokenStoreKey.signIn(at: signIn.issuer, as: client)
            try await store.exclusively(for: key) { [store] in try await store.save(signedIn, for: key) }
        }
        await display.finish(outcome, savedIn: directory)
        if case .failure(let error) = outcome { throw Failure(error.sentence, status: error.exitStatus) }
    }
}
