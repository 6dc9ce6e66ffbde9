internal import Countersign
internal import CountersignServer
internal import CountersignStorage
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire

/// Phones that read their inbox, look at requests, and decide by signed decisions.
enum PhoneActs: HomeOccasion {
    static let acts = [
        HomeAct("phone.readsInbox", weight: 4) { home, choice in
            guard let person = choice.person() else { return nil }
            return try await readInbox(person, in: home)
        },
        HomeAct("phone.looks", weight: 6) { home, choice in
            let people = HomePerson.allCases.filter { person in
                home.phones[person].map { $0.carried != nil || !$0.inbox.isEmpty } ?? false
            }
            guard let person = choice.person(people) else { return nil }
            return try await look(person, in: home)
        },
        HomeAct("phone.decides", weight: 8) { home, choice in
            let people = HomePerson.allCases.filter { home.phones[$0]?.shown != nil }
            guard let person = choice.person(people) else { return nil }
            return try await decide(
                choice.happens(75) ? .approve : .deny, person, mistyping: choice.happens(15), in: home)
        },
    ]

    /// The steps of a phone with a request.
    static let decision = ["phone.looks", "phone.decides"]

    /// The address of a person's phone, which is at home.
    private static func address(of person: HomePerson) -> String {
        person == .mallory ? HomeAddress.attacker : HomeAddress.home
    }

    private static func readInbox(_ person: HomePerson, in home: isolated Home) async throws -> String? {
        guard let phone = home.phones[person] else { return nil }
        let request = HomeRequest(getting: "/authenticator/inbox", fields: phone.fields, from: address(of: person))
        guard case .success(let answer) = try await home.send(request, by: .phone(person)),
            answer.response.status == .ok
        else { return "no inbox for \(person)" }
        let inbox = try answer.decoded(AuthenticatorInbox.self).requests.map(\.exchange)
        home.phones[person]?.inbox = inbox
        return "the phone of \(person) lists \(inbox.count)"
    }

    /// Looks at the request that came over a link, or at the newest of the inbox.
    static func look(_ person: HomePerson, in home: isolated Home) async throws -> String? {
        guard let phone = home.phones[person] else { return nil }
        let asked: ApproverLookRequest
        if let carried = phone.carried {
            asked = .nearby(carried.request.userCode, carried.request.verifier)
        } else if let id = phone.inbox.last {
            asked = .inbox(id)
        } else {
            return nil
        }
        let request = HomeRequest("/approver/look", asked.form, fields: phone.fields, from: address(of: person))
        guard case .success(let answer) = try await home.send(request, by: .phone(person)) else {
            return "the phone of \(person) sees nothing"
        }
        home.phones[person]?.shown = try shown(answer, over: phone.carried?.link)
        home.phones[person]?.carried = nil
        home.phones[person]?.inbox = []
        return "the phone of \(person) looks"
    }

    private static func shown(
        _ answer: HTTPAnswer, over link: NearbyLinkID?
    ) throws -> ApprovingPhone.ShownRequest? {
        guard answer.response.status == .ok else { return nil }
        let digest = AnswerDigest(of: answer.body)
        if let link {
            guard case .decide(let look) = try answer.decoded(ApproverLookResponse<NearbyLook>.self) else { return nil }
            return .nearby(look, digest, over: link)
        }
        guard case .decide(let look) = try answer.decoded(ApproverLookResponse<InboxLook>.self) else { return nil }
        return .inbox(look, digest)
    }

    /// Decides about the request that a phone shows.
    static func decide(
        _ answer: DecisionClaims.Answer, _ person: HomePerson, mistyping: Bool = false, in home: isolated Home
    ) async throws -> String? {
        guard let phone = home.phones[person], let shown = phone.shown else { return nil }
        let issuer = home.ground.settings.issuer.text
        let id = URLSafeText.encode(home.random.bytes(12))
        var number: String?
        var isNumberWrong = false
        if answer.isApproval, case .inbox(let look, _) = shown, look.details.numberDigits != nil {
            // The person reads it from the screen in front of them.
            let shownNumber = try await home.signIn(asking: shown.exchange)?.shownNumber
            let demanded = try await home.store.read { try $0.exchanges.find(shown.exchange)?.terms.number?.shown }
            number = shownNumber.map { mistyping ? $0.another(than: demanded) : $0.rawValue }
            isNumberWrong = mistyping || number == nil
        }
        let decision = try phone.decision(
            answer, on: shown, typing: number, issuer: issuer, id: id, at: home.clock.date)
        home.phones[person]?.sent = decision
        home.ledger.record(
            answer.isApproval && !isNumberWrong, of: shown.exchange, by: person, knowing: true)
        let form = ApproverDecideRequest.form(with: decision, on: nil)
        let request = HomeRequest("/approver/decide", form, fields: phone.fields, from: address(of: person))
        guard case .success(let reply) = try await home.send(request, by: .phone(person)) else {
            return "the phone of \(person) gets no answer"
        }
        home.phones[person]?.shown = nil
        guard reply.response.status == .ok else { return "the decision of \(person) is refused" }
        let outcome = try reply.decoded(ApproverDecideResponse.self).outcome
        guard !phone.isRemoved else { throw HomeFault(.locked, "the removed phone of \(person) decided") }
        if outcome != .refused {
            try await home.checkShown(
                outcome == .approved, of: shown.exchange, to: person, at: "the phone of \(person)")
        }
        return "the phone of \(person) shows \(outcome.rawValue)"
    }
}

extension VerificationNumber {
    /// A number that is neither this one nor `other`, which the screen may not show yet.
    fileprivate func another(than other: VerificationNumber?) -> String {
        let wrong = (1...2).map { offset -> String in
            let digits = String(((Int(rawValue) ?? 0) + offset) % 100)
            return String(repeating: "0", count: max(0, Self.length - digits.count)) + digits
        }
        return wrong.first { $0 != other?.rawValue } ?? ""
    }
}
