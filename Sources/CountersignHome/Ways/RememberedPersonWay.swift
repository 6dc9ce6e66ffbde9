internal import Countersign
internal import CountersignWire

/// A screen that remembers a person, who is asked on their phone and their account page, beside the code for everybody.
enum RememberedPersonWay: HomeOccasion {
    static let acts = [
        HomeAct("tv.asksRemembered", weight: 3) { home, choice in
            guard let person = choice.person(), let token = home.ground.remembered[person] else { return nil }
            let signIn = try await CodeWay.ask(
                at: HomeScreen(name: "Living room", client: .tv), in: home, for: Scope([.openid, HomeClient.play]),
                forNearby: choice.happens(30), way: "push"
            ) { $0.rememberedPerson = token }
            return signIn.map { "\($0.label) asks \(person)" } ?? "no code"
        },
        HomeAct("person.looksAtAccount", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            home.browsers[person]?.errand = nil
            return "\(person) looks: \(try await BrowserActs.open("/account", person, in: home))"
        },
        HomeAct("neighbour.typesCode", weight: 2) { home, choice in
            let screens = home.signIns.filter { $0.isWaiting && $0.codes != nil && !$0.screen.isAttackers }
            guard let signIn = choice.signIn(screens), let person = choice.neighbour() else { return nil }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.address = HomeAddress.home
            let opened = try await BrowserActs.open("/activate", person, in: home)
            return "\(person) types the code of \(signIn.label): \(opened)"
        },
    ]

    /// The screen shows its number with the first answer.
    private static let asking = ["tv.asksRemembered", "screen.goesOn"]

    static let stories = [
        asking + ["phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
        asking + ["person.looksAtAccount"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
        asking + ["phone.readsInbox", "phone.looks", "neighbour.typesCode"] + CodeWay.page
            + ["phone.decides", "person.goesOn", "person.goesOn"] + CodeWay.tokens,
    ]
}
