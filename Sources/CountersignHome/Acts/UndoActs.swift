internal import Countersign
internal import CountersignTransport
internal import CountersignWire

/// People who take an approval back on their phone, and screens that give their tokens back, at any time.
enum UndoActs: HomeOccasion {
    static let acts = [
        HomeAct("phone.undoes", weight: 2) { home, choice in
            guard let person = choice.person(), let id = choice.any(home.ledger.approved(by: person)) else {
                return nil
            }
            return try await undo(id, person, in: home)
        },
        HomeAct("screen.signsOut", weight: 1) { home, choice in
            guard let signIn = choice.signIn(home.signIns.filter { $0.tokens?.refreshToken != nil }) else { return nil }
            return try await signOut(signIn, in: home)
        },
    ]

    static let stories = [
        ["tv.asks", "screen.asksPhoneNearby"] + PhoneActs.decision + ["phone.undoes"] + CodeWay.tokens,
        ["desk.asks", "phone.readsInbox"] + PhoneActs.decision + CodeWay.tokens + ["phone.undoes", "screen.refreshes"],
        ["tv.asks", "person.typesCode"] + CodeWay.page + BrowserActs.decision
            + ["screen.goesOn", "screen.goesOn", "person.looksAtAccount", "person.goesOn", "screen.refreshes"],
        ["kiosk.asks", "screen.goesOn", "person.typesCode"] + CodeWay.page + BrowserActs.decision
            + ["screen.goesOn", "phone.undoes", "screen.goesOn", "phone.undoes"],
        ["tv.asks", "person.typesCode"] + CodeWay.page + BrowserActs.decision
            + ["screen.goesOn", "screen.signsOut", "phone.undoes", "screen.refreshes"],
    ]

    private static func undo(_ id: SignInRequest.ID, _ person: HomePerson, in home: isolated Home) async throws
        -> String?
    {
        guard let phone = home.phones[person] else { return nil }
        let request = HomeRequest(
            "/approver/undo", ApproverUndoRequest(exchange: id).form, fields: phone.fields,
            from: PhoneActs.address(of: person))
        home.ledger.undone.insert(person)
        guard case .success(let answer) = try await home.send(request, by: .phone(person)) else {
            return "the phone of \(person) gets no answer"
        }
        guard answer.response.status == .ok else { return "the undo of \(person) is refused" }
        guard !phone.isRemoved else { throw HomeFault(.locked, "the removed phone of \(person) undid") }
        let outcome = try answer.decoded(ApproverUndoResponse.self).outcome
        if outcome == .undone { try await home.checkUndone(id, at: "the phone of \(person)") }
        return "the phone of \(person) shows \(outcome.rawValue)"
    }

    private static func signOut(_ signIn: RunningSignIn, in home: isolated Home) async throws -> String? {
        guard let token = signIn.tokens?.refreshToken, let grant = signIn.grant else { return nil }
        let form: Form = ["token": token.revealed]
        let request = HomeRequest("/revoke", form.with(signIn.screen.client.credentials), from: signIn.screen.address)
        guard case .success(let answer) = try await home.send(request, by: .screen(signIn.screen)),
            answer.response.status == .ok
        else {
            signIn.hasLostAnswers = true
            return "\(signIn.label) gets no answer"
        }
        signIn.tokens = nil
        guard try await home.isEnded(grant) else {
            throw HomeFault(.sameOutcome, "\(signIn.label) signed out, and its tokens count")
        }
        return "\(signIn.label) signs out"
    }
}
