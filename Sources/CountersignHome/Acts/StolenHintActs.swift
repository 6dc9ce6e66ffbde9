internal import Countersign
internal import CountersignTesting
internal import CountersignWire

/// An attacker far away who stole the ID token by which a screen remembers a person: their phone rings, no more.
enum StolenHintActs: HomeOccasion {
    static let acts = [
        HomeAct("attacker.asksByStolenHint", weight: 2) { home, choice in
            guard let person = choice.person(), let token = home.ground.remembered[person] else { return nil }
            let screen = HomeScreen(name: "Living room", client: .tv, isAttackers: true)
            // A screen that shows no number, so that none is asked for.
            let showsNumber = choice.happens(70)
            let scope = choice.happens(30) ? Scope([HomeClient.vault]) : Scope([.openid, HomeClient.play])
            let signIn = try await CodeWay.ask(
                at: screen, in: home, for: scope, way: "stolen hint", showingNumber: showsNumber
            ) { $0.rememberedPerson = token }
            return signIn.map { "the attacker asks \(person) by \($0.label)" } ?? "the attacker gets no code"
        }
    ]

    private static let asking = ["attacker.asksByStolenHint", "screen.goesOn"]

    static let stories = [
        asking + ["phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
        asking + ["person.looksAtAccount"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
        asking + ["attacker.asksByStolenHint", "attacker.asksByStolenHint", "phone.readsInbox"] + PhoneActs.decision
            + ["phone.readsInbox"] + PhoneActs.decision + ["screen.goesOn"],
        // The person signs in at their own screen at the same time, and reads its number.
        asking + ["tv.asksRemembered", "screen.goesOn", "phone.readsInbox"] + PhoneActs.decision
            + ["phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens,
    ]
}
