internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The sign-in that a helper begins when there are no tokens: at the terminal, or on the devices of the person who is
/// remembered here.
struct CredentialQuestion: Sendable {
    let issuer: Issuer
    let client: ClientIdentity
    /// The person who was named; `nil` for whoever signs in.
    let person: Household.Person?
    let scope: Scope
    let options: SignInOptions
    let ways: WayOptions
    let store: SealedFileTokenStore
    let directory: String
    let interaction: HelperInteraction

    /// The place where a person is asked.
    enum Place {
        /// The terminal, and the devices of a person who is known there.
        case here(ControllingTerminal, RememberedPerson?)
        /// The devices of this person alone.
        case devices(of: Household.Person)

        /// The person who is asked on their devices alone; `nil` at a terminal.
        var personAtDevices: Subject? {
            switch self {
            case .here: nil
            case .devices(let person): person.identity.subject
            }
        }
    }

    /// The place where a person can be asked now.
    ///
    /// - Throws: a ``CommandError`` when there is none, or nobody may be asked.
    func place() async throws -> Place {
        if let setting = interaction.prohibition() { throw nobody("\(setting) lets nobody be asked") }
        let people = try await store.people(for: .signIn(at: issuer, as: client.id), at: TimeSource.system.now())
        let remembered = (person.map { [$0] } ?? people).filter { $0.rememberedPerson != nil }
        let known = remembered.count == 1 ? remembered.first : nil
        if interaction.usesTerminal, let here = ControllingTerminal() { return .here(here, known?.rememberedPerson) }
        guard let known, try ways.chosen()?.contains(.push) != false else {
            throw nobody("nobody can be asked from here")
        }
        return .devices(of: known)
    }

    private func nobody(_ reason: String) -> CommandError {
        CommandError("Nobody is signed in at \(issuer.text.shown), and \(reason). Sign in with: \(command)")
    }

    /// The command by which a person signs in beforehand.
    var command: String { Self.command(at: issuer, as: client.id, for: scope) }

    /// The command by which a person signs in for a client.
    static func command(at issuer: Issuer, as client: ClientID, for scope: Scope) -> String {
        "countersign signin --issuer \(issuer.text.shown) --client \(client.rawValue.shown) --scope '\(scope)'"
    }

    /// Signs in, and keeps the tokens.
    ///
    /// - Throws: a ``CommandError`` when the sign-in failed.
    func ask(at place: Place) async throws {
        switch place {
        case .here(let terminal, let known): try await terminal.asStandardStreams { try await askHere(or: known) }
        case .devices(let person): try await ask(person)
        }
    }

    private func askHere(or known: RememberedPerson?) async throws {
        let screen = try ways.screen(named: name, remembering: known)
        var options = options
        options.ways = try ways.chosen()
        let looksNearby = screen.nearby != nil && options.ways?.contains(.nearby) != false
        Terminal.say("Sign in at \(issuer.text.shown):")
        try await run(
            signIn(as: person, on: screen, options),
            on: Terminal.signInDisplay(looksNearby: looksNearby),
            confirming: Confirmation(isGiven: false, quiet: false)
        )
    }

    private func ask(_ person: Household.Person) async throws {
        var options = options
        options.ways = [.push]
        var screen = SignInScreen(name: name)
        screen.rememberedPerson = person.rememberedPerson
        // The devices of this very person are asked; another person's answer is refused.
        try await run(
            signIn(as: person, on: screen, options), on: StandardErrorDisplay(),
            confirming: Confirmation(isGiven: true, quiet: true))
    }

    private var name: String { ProcessInfo.processInfo.hostName }

    private func signIn(as person: Household.Person?, on screen: SignInScreen, _ options: SignInOptions) -> SignIn {
        Household(at: issuer, as: client, keepingTokensIn: store, on: screen, options: options)
            .signIn(as: person, for: scope)
    }

    private func run(
        _ signIn: SignIn,
        on display: any SignInDisplay,
        confirming confirmation: Confirmation
    ) async throws {
        var signingIn = SigningIn(signIn: signIn, display: display, confirmation: confirmation)
        signingIn.comparesScope = false
        try await signingIn.run(savingIn: directory)
    }
}
