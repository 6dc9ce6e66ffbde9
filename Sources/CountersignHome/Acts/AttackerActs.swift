internal import Countersign
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire

/// An attacker in another network, with an account, a browser, a phone and an app of their own.
enum AttackerActs: HomeOccasion {
    static let acts = [
        HomeAct("attacker.asks", weight: 2) { home, choice in
            let client = choice.any([HomeClient.tv, .game]) ?? .tv
            let screen = HomeScreen(name: "Living room", client: client, isAttackers: true)
            let scope = choice.happens(30) ? Scope([HomeClient.vault]) : Scope([HomeClient.play])
            let signIn = try await CodeWay.ask(at: screen, in: home, for: scope, forNearby: false)
            return signIn.map { "the attacker has \($0.label)" } ?? "the attacker gets no code"
        },
        HomeAct("attacker.forwardsLink", weight: 3) { home, choice in
            let own = home.signIns.filter { $0.isWaiting && $0.screen.isAttackers && $0.linkPath != nil }
            guard let signIn = choice.signIn(own), let path = signIn.linkPath,
                let person = choice.person()
            else { return nil }
            home.browsers[person]?.errand = signIn.number
            home.browsers[person]?.address = HomeAddress.home
            let opened = try await BrowserActs.open(path, person, in: home)
            return "\(person) opens the attacker's link of \(signIn.label): \(opened)"
        },
        HomeAct("attacker.guessesCode", weight: 2) { home, choice in
            let seen = choice.signIn(home.signIns.filter { $0.codes != nil && !$0.screen.isAttackers })
            let guess = (0..<UserCode.length).compactMap { _ in choice.any(UserCode.alphabet) }
            home.browsers[.mallory]?.errand = choice.happens(50) ? seen?.number : nil
            home.browsers[.mallory]?.typed = String(guess)
            return "the attacker guesses: \(try await BrowserActs.open("/activate", .mallory, in: home))"
        },
        HomeAct("attacker.pollsOthers", weight: 2) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { $0.codes != nil && !$0.screen.isAttackers }),
                let codes = signIn.codes
            else { return nil }
            // A stolen code of the same client is good until it is used, so it is replayed afterwards only. That of a
            // killed screen was not used.
            let isUsed = !signIn.isWaiting && !signIn.isKilled
            let client = isUsed && choice.happens(50) ? signIn.screen.client : .game
            let code = choice.happens(30) ? DeviceCode(revealing: codes.userCode.rawValue) : codes.deviceCode
            return "the attacker polls: \(try await redeem(.deviceCode(code), as: client, in: home))"
        },
        HomeAct("attacker.replaysRefresh", weight: 2) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { !$0.earlierTokens.isEmpty }),
                let token = choice.any(signIn.earlierTokens)
            else { return nil }
            let request = TokenRequest.refresh(token, scope: .none)
            return "the attacker refreshes: \(try await redeem(request, as: signIn.screen.client, in: home))"
        },
        HomeAct("attacker.answersNearby", weight: 2) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { $0.verifier != nil && $0.isWaiting }),
                let link = NearbyLinkID(home.random.bytes(32))
            else { return nil }
            home.phones[.mallory]?.carried = NearbyWay.request(of: signIn, over: link, in: home)
            return "the attacker's phone hears of \(signIn.label)"
        },
        HomeAct("attacker.copiesDecision", weight: 2) { home, choice in
            guard let person = choice.person(), let copy = home.phones[person]?.sent?.text,
                let phone = home.phones[.mallory]
            else { return nil }
            let form = ApproverDecideRequest.form(with: copy, on: nil)
            let request = HomeRequest("/approver/decide", form, fields: phone.fields, from: HomeAddress.attacker)
            guard case .success(let answer) = try await home.send(request, by: .attacker) else { return "lost" }
            guard answer.response.status != .ok else {
                throw HomeFault(.nothingStolen, "a decision of \(person) counts from the attacker's phone")
            }
            return "the attacker copies a decision"
        },
        HomeAct("attacker.copiesForm", weight: 2) { home, choice in
            guard let person = choice.person(), case .page(let page, at: _) = home.browsers[person]?.view,
                let form = page.forms.first(where: { $0.offers("approve") }), let browser = home.browsers[.mallory]
            else { return nil }
            let fields = form.hidden.with(["decision": "approve"])
            let request = HomeRequest(form.action, fields, fields: browser.fields, from: HomeAddress.attacker)
            _ = try await home.send(request, by: .attacker)
            return "the attacker copies a form of \(person)"
        },
    ]

    static let stories = [
        ["attacker.asks", "attacker.forwardsLink"] + CodeWay.page + ["screen.goesOn"] + BrowserActs.decision
            + CodeWay.tokens,
        ["tv.asks", "attacker.answersNearby"] + PhoneActs.decision + CodeWay.tokens,
        ["tv.asks", "attacker.guessesCode"] + CodeWay.page + BrowserActs.decision + CodeWay.tokens,
    ]

    /// Redeems a credential of somebody else, whose tokens would be found at once.
    private static func redeem(
        _ request: TokenRequest, as client: HomeClient, in home: isolated Home
    ) async throws -> String {
        let form = request.form.with(client.credentials)
        let sent = HomeRequest("/token", form, from: HomeAddress.attacker)
        guard case .success(let answer) = try await home.send(sent, by: .attacker) else { return "lost" }
        return "\(answer.response.status.code)"
    }
}
