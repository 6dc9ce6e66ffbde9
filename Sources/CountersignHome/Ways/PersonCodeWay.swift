internal import Countersign
internal import CountersignWire

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
    ]

    /// The steps to a page with a code.
    static let page = ["person.wantsCode", "person.goesOn", "person.goesOn"]
    /// The steps from there to the page that asks.
    static let question = ["person.goesOn", "person.goesOn"]

    static let stories = [
        page + ["tv.asksByPersonCode"] + question + BrowserActs.decision + CodeWay.tokens,
        page + ["attacker.guessesPersonCode", "tv.asksByPersonCode", "attacker.guessesPersonCode"] + question
            + BrowserActs.decision + CodeWay.tokens,
    ]

    /// A person whose browser shows a code, and the code as they type it, sometimes a wrong one.
    static func typed(_ choice: HomeChoice, in home: isolated Home) -> (HomePerson, PersonCode)? {
        let people = HomePerson.residents.filter { home.browsers[$0]?.personCode != nil }
        guard let person = choice.person(people), let code = home.browsers[person]?.personCode else { return nil }
        guard choice.happens(10) else { return (person, code) }
        return (person, PersonCode(revealing: String(code.revealed.reversed())))
    }

    /// Notes that a code started a sign-in.
    static func began(
        _ signIn: RunningSignIn, by code: PersonCode, of person: HomePerson, in home: isolated Home
    ) throws -> String {
        guard home.browsers[person]?.personCode == code else {
            throw HomeFault(.decided, "a wrong code of \(person) starts a request")
        }
        signIn.addressee = person
        home.ledger.usedCodes.append(code)
        return "\(signIn.label) asks \(person)"
    }
}
