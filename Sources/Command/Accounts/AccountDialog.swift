internal import Countersign
internal import CountersignRequester
internal import CountersignWire

/// The questions and answers of a sign-in with an account of this system, in words or in lines of JSON.
struct AccountDialog: Sendable {
    let isJSON: Bool
    let showsTokens: Bool

    /// The person who signed in, and what the app got.
    struct Person: Sendable {
        let id: String
        let name: String
        let screenName: String?
        let email: String?
        let avatar: String
        let token: String
        /// The secret of the token, for one of OAuth 1.
        let tokenSecret: String?

        init(_ credentials: ReverseAuthCredentials) {
            (id, name, screenName) = (credentials.id, credentials.name, credentials.screenName)
            (email, avatar) = (credentials.email, credentials.avatar)
            (token, tokenSecret) = (credentials.token.token.rawValue, credentials.token.secret.revealed)
        }

        init(_ credentials: SocialGraphCredentials) {
            (id, name, screenName) = (credentials.id, credentials.name, nil)
            (email, avatar) = (credentials.email, credentials.avatar)
            (token, tokenSecret) = (credentials.token.revealed, nil)
        }
    }

    /// One line of JSON; members that an event does not have are omitted.
    private struct Line: Encodable {
        let event: String
        var provider: String?
        var app: String?
        var accounts: [String]?
        var permissions: [String]?
        var audience: String?
        var subject: String?
        var name: String?
        var username: String?
        var email: String?
        var picture: String?
        var accessToken: String?
        var tokenSecret: String?
        var error: String?
        var message: String?
        var nextStep: String?
        var settings: String?

        init(_ event: String) { self.event = event }

        enum CodingKeys: String, CodingKey {
            case event, provider, app, accounts, permissions, audience, subject, name, username, email, picture
            case error, message, settings
            case accessToken = "access_token"
            case tokenSecret = "token_secret"
            case nextStep = "next_step"
        }
    }

    /// Asks whether an app may use the accounts.
    var ask: SystemAccountQuestion {
        guard isJSON else { return AccountStoreOptions.ask }
        return { access, accounts in
            var line = Line("permission")
            (line.provider, line.app) = (access.provider.rawValue, access.appName ?? access.app.rawValue)
            (line.accounts, line.permissions) = (accounts.map(\.name), access.permissions)
            line.audience = access.audience.rawValue
            Self.write(line)
            return await TypedLines.standard.agrees(to: "", besideJSON: true)
        }
    }

    /// Shows the accounts with numbers, and reads one.
    func choose(among accounts: [SystemAccount]) async -> SystemAccount.ID? {
        let question: String
        if isJSON {
            var line = Line("choosing")
            line.accounts = accounts.map(\.name)
            Self.write(line)
            question = ""
        } else {
            for (place, account) in accounts.enumerated() { Terminal.say("\(place + 1)  \(account.name.shown)") }
            question = "Which account? (a number, or nothing for none) "
        }
        let typed = await TypedLines.standard.answer(to: question)
        guard let number = typed.flatMap({ Int($0) }), number >= 1 else { return nil }
        return accounts.dropFirst(number - 1).first?.id
    }

    /// Asks whether this is the account to use.
    func confirm(_ account: SystemAccount) async -> Bool {
        guard isJSON else {
            return await TypedLines.standard.agrees(to: "Continue as \(account.name.shown)? [yes/no] ")
        }
        var line = Line("confirming")
        line.name = account.name
        Self.write(line)
        return await TypedLines.standard.agrees(to: "", besideJSON: true)
    }

    /// Reports the signed-in person.
    func finish(_ person: Person, of provider: AccountProviderID) {
        guard isJSON else { return say(person) }
        var line = Line("signed_in")
        (line.provider, line.subject, line.name) = (provider.rawValue, person.id, person.name)
        (line.username, line.email, line.picture) = (person.screenName, person.email, person.avatar)
        if showsTokens { (line.accessToken, line.tokenSecret) = (person.token, person.tokenSecret) }
        Self.write(line)
    }

    private func say(_ person: Person) {
        let known = [person.screenName.map { "@\($0)" }, person.email, "id \(person.id)"].compactMap { $0?.shown }
        Terminal.say("Signed in as \(person.name.shown) (\(known.joined(separator: ", "))).")
        Terminal.say("Picture: \(person.avatar.shown)")
        guard showsTokens else { return }
        if let secret = person.tokenSecret {
            Terminal.say("Key: \(person.token)\nSecret: \(secret)")
        } else {
            Terminal.say("Token: \(person.token)")
        }
    }

    /// Reports a failed sign-in in JSON output; the command itself prints the words.
    ///
    /// - Parameters:
    ///   - problem: The failure.
    ///   - sentence: The sentence for the person; the sentence of the problem by default.
    ///   - settings: The place for the person to change it.
    func fail(_ problem: AccountError, saying sentence: String? = nil, settings: SystemAccountSettings) {
        guard isJSON else { return }
        var line = Line("failed")
        (line.error, line.message) = (problem.code.rawValue, sentence ?? problem.sentence)
        line.nextStep = problem.nextStep.rawValue
        if problem.nextStep == .openSettings { line.settings = settings.instruction }
        Self.write(line)
    }

    private static func write(_ line: Line) {
        try? Terminal.sayJSON(line, inOneLine: true)
    }
}
