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

    /// Asks whether an app may use the accounts.
    var ask: SystemAccountQuestion {
        guard isJSON else { return AccountStoreOptions.ask }
        return { access, accounts in
            Terminal.sayEvent(
                "permission",
                [
                    "provider": access.provider.rawValue, "app": access.appName ?? access.app.rawValue,
                    "accounts": accounts.map(\.name), "permissions": access.permissions,
                    "audience": access.audience.rawValue,
                ])
            return await TypedLines.standard.agrees(to: "", besideJSON: true)
        }
    }

    /// Shows the accounts with numbers, and reads one.
    func choose(among accounts: [SystemAccount]) async -> SystemAccount.ID? {
        let question: String
        if isJSON {
            Terminal.sayEvent("choosing", ["accounts": accounts.map(\.name)])
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
        Terminal.sayEvent("confirming", ["name": account.name])
        return await TypedLines.standard.agrees(to: "", besideJSON: true)
    }

    /// Reports the signed-in person.
    func finish(_ person: Person, of provider: AccountProviderID) {
        guard isJSON else { return say(person) }
        Terminal.sayEvent(
            "signed_in",
            [
                "provider": provider.rawValue, "subject": person.id, "name": person.name,
                "username": person.screenName, "email": person.email, "picture": person.avatar,
                "access_token": showsTokens ? person.token : nil,
                "token_secret": showsTokens ? person.tokenSecret : nil,
            ])
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
        Terminal.sayEvent(
            "failed",
            [
                "error": problem.code.rawValue, "message": sentence ?? problem.sentence,
                "next_step": problem.nextStep.rawValue,
                "settings": problem.nextStep == .openSettings ? settings.instruction : nil,
            ])
    }
}
