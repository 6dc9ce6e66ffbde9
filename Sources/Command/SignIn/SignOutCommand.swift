internal import ArgumentParser
internal import CountersignRequester
internal import Foundation

/// `countersign signout`: ends a sign-in of this terminal.
struct SignOutCommand: TokenAction {
    static let configuration = CommandConfiguration(
        commandName: "signout",
        abstract: "Sign a person out of this terminal and, with --browser, out of the server in the browser.",
        discussion: """
            The tokens end here and at the server. Where the server does not confirm it, they are removed here all the \
            same, and the exit status is 1, because they may work there. A person who is remembered here stays so, and 'countersign signin --as' \
            asks them on their devices; --forget ends that here, and the account page at the server.

            With --browser the browser opens the server's page for signing out, which asks first. It comes back to a free \
            port of this machine, at http://127.0.0.1:<port>/callback: that has to be registered, without the port, by \
            'countersign admin client change NAME --post-logout-redirect-uri http://127.0.0.1/callback'. Ctrl-C ends the \
            wait for it. (OpenID Connect RP-Initiated Logout 1.0)
            """
    )

    @OptionGroup var options: TokenOptions
    @OptionGroup var selection: SignInSelection
    @OptionGroup var server: ServerAccess

    @Flag(help: "End the session at the server in the browser of this machine, too.")
    var browser = false

    @Option(help: "The port of this machine where the browser comes back to; one that is free, unless given.")
    var callbackPort: UInt16 = 0

    @Flag(help: "Forget a person who is remembered here.")
    var forget = false

    func output() async throws -> CommandOutput {
        guard browser || callbackPort == 0 else { throw CommandError.usage("--callback-port goes with --browser.") }
        let store = try options.storage.store()
        let selected = try await selection.token(in: store)
        if browser { Terminal.prompt("Confirm in your browser that you want to sign out.\n") }
        let result = try await server.signOut(
            selected,
            in: store,
            endingSessionIn: browser ? LoopbackBrowser(opening: DesktopOpener(), port: callbackPort) : nil,
            forgetting: forget
        )
        let members: OutputMembers = [
            "revoked": result.isRevoked, "works_until": result.worksUntil, "session": result.session.name,
        ]
        return CommandOutput(members, result.sentences, endingBy: result.failure(at: selected.key.names[0]))
    }
}

extension SignOutResult {
    /// The outcome, in sentences for the person at the terminal.
    fileprivate var sentences: String {
        let tokens = isRevoked ? "Signed out here and at the server." : "Signed out here."
        return session == .ended ? "\(tokens) The session in the browser has ended." : tokens
    }

    /// The error that the command ends with, because tokens may still work, or the session was to end, too.
    fileprivate func failure(at issuer: String) -> CommandError? {
        let failures = [isRevoked ? nil : remainder(at: issuer), session.failure].compactMap(\.self)
        return failures.isEmpty ? nil : CommandError(failures.joined(separator: " "))
    }
}

extension SignOutResult {
    /// The state of tokens that the server did not end, and the way to end them, in sentences.
    func remainder(at issuer: String) -> String {
        let end = worksUntil?.formatted(.iso8601) ?? "their time is over"
        return "The server did not end the tokens: there they work until \(end). "
            + "To end them before that, sign this device out on your account page, \(issuer.shown)/account."
    }
}

extension SignOutResult.Session {
    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .untouched: "untouched"
        case .ended: "ended"
        case .notOffered: "not_offered"
        case .unconfirmed: "unconfirmed"
        }
    }

    /// The sentence about a session that was to end, and may be there still; `nil` for any other.
    fileprivate var failure: String? {
        switch self {
        case .untouched, .ended: nil
        case .notOffered:
            "The server has no page that ends a session in the browser. Sign out there on a page of the server."
        case .unconfirmed(let error):
            "You may still be signed in in the browser: sign out on the server's page there. (\(error.reason.shown))"
        }
    }
}
