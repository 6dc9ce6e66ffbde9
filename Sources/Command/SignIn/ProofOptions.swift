internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The options of `signin` for what this terminal holds already, and presents before a person is asked.
struct ProofOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Present a ticket first: the text of the QR code that 'Add an authenticator' on your account page shows.",
            discussion: "'-' reads a line of standard input, so that the ticket is in no list of processes.",
            valueName: "file"))
    var ticket: String?

    @Option(
        name: .customLong("token"),
        help: ArgumentHelp(
            "Present a token of another provider first (RFC 8693); after the ticket, if there is one.",
            discussion: """
                Its first line is the token, the second one, if there is one, the nonce of an ID token ('token nonce'). '-' \
                reads one line of standard input: the token and, after a space, the nonce.
                """,
            valueName: "file"))
    var tokenFile: String?

    @Option(help: "What that token is: id-token, access-token or oauth1. (default: id-token)")
    var tokenKind: ProviderTokenKind?

    @Option(help: "Whose that token is, by the provider's name at the server, where several have such tokens.")
    var tokenProvider: String?

    /// Whether any of these was given.
    var isChosen: Bool { ticket != nil || tokenFile != nil || tokenKind != nil || tokenProvider != nil }

    /// The names of these options, for a sentence.
    static let names = "--ticket, --token, --token-kind and --token-provider"

    /// The proofs, the first one first.
    ///
    /// - Parameters:
    ///   - issuer: The server that they are presented to.
    ///   - server: The access to that server, which says the addresses that may be used.
    /// - Throws: a ``CommandError`` for what cannot be read, and for a ticket of another server.
    func proofs(at issuer: Issuer, over server: ServerAccess) throws -> [SignInProof] {
        guard tokenFile != nil || tokenKind == nil && tokenProvider == nil else {
            throw CommandError.usage("--token-kind and --token-provider go with --token.")
        }
        var proofs: [SignInProof] = []
        if let ticket {
            let text = try lines(1, of: ticket, asking: ["Text of the QR code: "]).first ?? ""
            proofs.append(.ticket(try self.ticket(in: text, of: issuer, over: server)))
        }
        if let tokenFile {
            let kind = tokenKind ?? .idToken
            let lines = try lines(
                kind == .idToken ? 2 : 1, of: tokenFile, asking: ["Token: ", "Nonce, if there is one: "])
            guard let line = lines.first, !line.isEmpty else {
                throw CommandError.usage("The token is missing: the first line of --token.")
            }
            proofs.append(.token(try kind.token(line, nonce: lines.dropFirst().first, of: tokenProvider)))
        }
        return proofs
    }

    private func ticket(in text: String, of issuer: Issuer, over server: ServerAccess) throws -> EnrollmentTicket {
        switch CustomerSiteInvitation(text) {
        case .ticket(issuer: let text, let ticket):
            let named = try server.issuer(text)
            guard named == issuer else {
                throw CommandError.usage("That ticket is of \(named.text), not of \(issuer.text).")
            }
            return ticket
        case .shared: throw ScannedCodeOptions.olderKind
        case nil: throw CommandError.usage("--ticket has no ticket: it is 'https://…/authenticator/enroll#…'.")
        }
    }

    /// The first lines of a file, or the answers of the person at the terminal for '-'. A program sends them in one
    /// line, with a space between: a further line answers a question, or never comes.
    private func lines(_ count: Int, of file: String, asking questions: [String]) throws -> [String] {
        guard file == "-" else {
            return try SuppliedText.text(in: file).split(separator: "\n", omittingEmptySubsequences: false)
                .prefix(count).map { TypedText.trimmed(String($0)) }
        }
        guard Terminal.givesInput else {
            let line = try TypedText.trimmed(StandardInput.shared.line() ?? "")
            return line.split(separator: " ", maxSplits: count - 1).map { TypedText.trimmed(String($0)) }
        }
        var lines: [String] = []
        for question in questions.prefix(count) {
            guard let line = try Terminal.readSecret(asking: question) else { break }
            lines.append(TypedText.trimmed(line))
        }
        return lines
    }
}
