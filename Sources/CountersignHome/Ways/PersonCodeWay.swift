internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// A person who gets a code where they are signed in, and types it on a screen, and an attacker who guesses such codes.
enum PersonCodeWay: HomeOccasion {
    /// The path of the page that shows the code.
    static let path = "/activate/code"

    static let acts = [
        HomeAct("person.wantsCode", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            home.browsers[person]?.errand = nil
            home.browsers[person]?.wantsCode = true
            home.browsers[person]?.address = HomeAddress.home
            return "\(person) wants a code: \(try await BrowserActs.open(path, person, in: home))"
        },
        HomeAct("tv.asksByPersonCode", weight: 3) { home, choice in
            guard let (person, code) = typed(choice, in: home) else { return nil }
            let screen = HomeScreen(name: "Bedroom", client: .tv)
            let signIn = try await CodeWay.ask(at: screen, in: home, way: "person code") { $0.personCode = code }
            guard let signIn else { return "the code of \(person) starts nothing" }
            return try began(signIn, by: code, of: person, in: home)
        },
        HomeAct("attacker.guessesPersonCode", weight: 2) { home, choice in
            let guess = (0..<PersonCode.length).map { _ in "\(choice.number(below: 10))" }.joined()
            let code = choice.happens(50) ? choice.any(home.ledger.usedCodes) : nil
            let screen = HomeScreen(name: "Bedroom", client: .game, isAttackers: true)
            let signIn = try await CodeWay.ask(at: screen, in: home, way: "person code") {
                $0.personCode = code ?? PersonCode(revealing: guess)
            }
            guard signIn == nil else { throw HomeFault(.nothingStolen, "a guessed or used code starts a request") }
            return "the attacker types a code"
        },
        HomeAct("attacker.guessesManyPersonCodes", weight: 1) { home, choice in
            let most = home.ground.settings.limits[.guessPerAddress]?.most ?? 0
            var tried = 0
            for _ in 0..<most + 5 {
                let guess = (0..<PersonCode.length).map { _ in "\(choice.number(below: 10))" }.joined()
                var asked = DeviceAuthorizationRequest(scope: Scope([HomeClient.play]))
                asked.personCode = PersonCode(revealing: guess)
                let form = asked.form.with(HomeClient.game.credentials)
                let request = HomeRequest("/device_authorization", form, from: HomeAddress.attacker)
                guard case .success(let answer) = try await home.send(request, by: .attacker) else { continue }
                guard answer.response.status != .ok else {
                    throw HomeFault(.nothingStolen, "a guessed code starts a request")
                }
                if answer.response.status.code != 429 { tried += 1 }
            }
            guard tried <= most else { throw HomeFault(.bounded, "\(tried) guesses of one network are looked at") }
            return "the attacker guesses \(tried) codes"
        },
    ]

    /// The steps to a page with a code.
    static let page = ["person.wantsCode", "person.goesOn", "person.goesOn"]
    /// The steps from there to the page that asks.
    static let question = ["person.goesOn", "person.goesOn"]

    static let stories = [
        page + ["tv.asksByPersonCode"] + question + BrowserActs.decision + CodeWay.tokens,
        page + ["attacker.guessesPersonCode", "tv.asksByPersonCode", "attacker.guessesPersonCode"] + question
            + BrowserActs.decision + CodeWay.tokens,
        page + ["attacker.guessesManyPersonCodes", "tv.asksByPersonCode"] + question + BrowserActs.decision
            + CodeWay.tokens,
        ["phone.wantsCode", "tv.asksByPersonCode", "phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
    ]

    /// The codes that the browser and the phone of a person show.
    private static func shown(to person: HomePerson, in home: isolated Home) -> [PersonCode] {
        [home.browsers[person]?.personCode, home.phones[person]?.personCode].compactMap(\.self)
    }

    /// A person whose browser or phone shows a code, and the code as they type it, sometimes a wrong one.
    static func typed(_ choice: HomeChoice, in home: isolated Home) -> (HomePerson, PersonCode)? {
        let people = HomePerson.residents.filter { !shown(to: $0, in: home).isEmpty }
        guard let person = choice.person(people), let code = choice.any(shown(to: person, in: home)) else { return nil }
        guard choice.happens(10) else { return (person, code) }
        return (person, PersonCode(revealing: String(code.revealed.reversed())))
    }

    /// Notes that a code started a sign-in.
    static func began(
        _ signIn: RunningSignIn, by code: PersonCode, of person: HomePerson, in home: isolated Home
    ) throws -> String {
        guard shown(to: person, in: home).contains(code) else {
            throw HomeFault(.decided, "a wrong code of \(person) starts a request")
        }
        signIn.addressee = person
        home.ledger.usedCodes.append(code)
        return "\(signIn.label) asks \(person)"
    }
}
