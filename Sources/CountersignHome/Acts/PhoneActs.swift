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
        HomeAct("phone.wantsCode", weight: 2) { home, choice in
            guard let person = choice.person() else { return nil }
            return try await wantCode(person, in: home)
        },
    ]

    /// The steps of a phone with a request.
    static let decision = ["phone.looks", "phone.decides"]

    /// The address of a person's phone, which is at home.
    static func address(of person: HomePerson) -> String {
        person == .mallory ? HomeAddress.attacker : HomeAddress.home
    }

    private static func readInbox(_ person: HomePerson, in home: isolated Home) async throws -> String? {
        guard let phone = home.phones[person] else { return nil }
        let request = HomeRequest(getting: "/authenticator/inbox", fields: phone.fields, from: address(of: person))
        guard case .success(let answer) = try await home.send(request, by: .phone(person)),
            answer.response.status == .ok
        else { return "no inbox for \(person)" }
        let inbox = try answer.decoded(AuthenticatorInbox.self).requests.map(\.exchange)
        guard inbox.count <= 1 else {
            throw HomeFault(.bounded, "the phone of \(person) asks \(inbox.count) questions at a time")
        }
        home.phones[person]?.inbox = inbox
        return "the phone of \(person) lists \(inbox.count)"
    }

    private static func wantCode(_ person: HomePerson, in home: isolated Home) async throws -> String? {
        guard let phone = home.phones[person] else { return nil }
        let request = HomeRequest("/authenticator/person-code", [:], fields: phone.fields, from: address(of: person))
        guard case .success(let answer) = try await home.send(request, by: .phone(person)),
            answer.response.status == .ok
        else { return "no code for \(person)" }
        home.phones[person]?.personCode = try answer.decoded(PersonCodeResponse.self).code
        return "the phone of \(person) shows a code"
    }

    /// Looks at the request that came to the app, or at the newest of the inbox.
    static func look(_ person: HomePerson, in home: isolated Home) async throws -> String? {
        guard let phone = home.phones[person] else { return nil }
        let asked: ApproverLookRequest
        switch phone.carried {
        case .nearby(let request, over: _)?: asked = .nearby(request.userCode, request.verifier)
        case .activation(of: let number, at: _)?:
            guard let look = ProviderAppWay.look(at: home.signIns[number]) else { return nil }
            asked = look
        case nil:
            guard let id = phone.inbox.last else { return nil }
            asked = .inbox(id)
        }
        let request = HomeRequest("/approver/look", asked.form, fields: phone.fields, from: address(of: person))
        guard case .success(let answer) = try await home.send(request, by: .phone(person)) else {
            return "the phone of \(person) sees nothing"
        }
        let shown = try shown(answer, of: phone.carried)
        home.phones[person]?.shown = shown
        home.phones[person]?.carried = nil
        home.phones[person]?.inbox = []
        if shown == nil, case .activation(of: let number, at: let device)? = phone.carried,
            // The app is told so, or is signed out.
            [.ok, .unauthorized].contains(answer.response.status)
        {
            ProviderAppWay.goOn(person, with: home.signIns[number], at: device, in: home)
            return "the app of \(person) leaves the page to the browser"
        }
        return "the phone of \(person) looks"
    }

    private static func shown(
        _ answer: HTTPAnswer, of carried: ApprovingPhone.CarriedRequest?
    ) throws -> ApprovingPhone.ShownRequest? {
        guard answer.response.status == .ok else { return nil }
        let digest = AnswerDigest(of: answer.body)
        func look<Details: LookDetails>(as details: Details.Type) throws -> ApproverLook<Details>? {
            guard case .decide(let look) = try answer.decoded(ApproverLookResponse<Details>.self) else { return nil }
            return look
        }
        return switch carried {
        case .nearby(_, over: let link)?: try look(as: NearbyLook.self).map { .nearby($0, digest, over: link) }
        case .activation(of: _, at: let device)?:
            try look(as: ActivationLook.self).map { .activation($0, digest, at: device) }
        case nil: try look(as: InboxLook.self).map { .inbox($0, digest) }
        }
    }

    /// Decides about the request that a phone shows.
    static func decide(
        _ answer: DecisionClaims.Answer, _ person: HomePerson, mistyping: Bool = false, in home: isolated Home
    ) async throws -> String? {
        guard let phone = home.phones[person], let shown = phone.shown else { return nil }
        let issuer = home.ground.settings.issuer.text
        let id = URLSafeText.encode(home.random.bytes(12))
        let asking = try await home.signIn(asking: shown.exchange)
        var isKnowing = asking?.screen.isAttackers != true
        var isApproval = answer.isApproval
        var classes: Set<AuthenticationClass> = [.deviceKey]
        var number: String?
        switch shown {
        case .nearby, .activation: classes.formUnion([.number, .nearby])
        case .inbox(let look, _):
            guard isApproval, look.details.numberDigits != nil else { break }
            // The person reads it from a screen in front of them.
            let visible = isKnowing ? asking?.shownNumber : home.anyNumber
            let demanded = try await home.store.read { try $0.exchanges.find(shown.exchange)?.terms.number?.shown }
            number = visible.map { mistyping ? $0.another(than: demanded) : $0.rawValue }
            // One number of a hundred is right by chance.
            let right = [demanded, asking?.shownNumber].compactMap { $0?.rawValue }
            isApproval = number.map { isKnowing ? !mistyping : right.contains($0) } ?? false
            if isApproval {
                isKnowing = true
                classes.insert(.number)
            }
        }
        let decision = try phone.decision(
            answer, on: shown, typing: number, issuer: issuer, id: id, at: home.clock.date)
        let sent = ApprovingPhone.SentDecision(text: decision, shown: shown)
        home.phones[person]?.sent = sent
        home.ledger.record(isApproval, of: shown.exchange, by: person, knowing: isKnowing, reaching: classes)
        return try await send(sent, phone, in: home)
    }

    /// Sends a signed decision, for the first time or again.
    static func send(
        _ decision: ApprovingPhone.SentDecision, _ phone: ApprovingPhone, again: Bool = false, in home: isolated Home
    ) async throws -> String {
        let person = phone.person
        let form = ApproverDecideRequest.form(with: decision.text, on: nil)
        let request = HomeRequest("/approver/decide", form, fields: phone.fields, from: address(of: person))
        guard case .success(let reply) = try await home.send(request, by: .phone(person)) else {
            return "the phone of \(person) gets no answer"
        }
        if !again { home.phones[person]?.shown = nil }
        guard reply.response.status == .ok else { return "the decision of \(person) is refused" }
        let answer = try reply.decoded(ApproverDecideResponse.self)
        let outcome = answer.outcome
        guard !phone.isRemoved else { throw HomeFault(.locked, "the removed phone of \(person) decided") }
        // A decision that is sent again has the answer of its time: what came after it is not told there.
        if let first = decision.outcome {
            guard outcome == first else {
                throw HomeFault(.oneDecision, "a decision of \(person) is \(first.rawValue), and \(outcome.rawValue)")
            }
        } else if outcome != .refused, !again {
            try await home.checkShown(
                outcome == .approved, of: decision.shown.exchange, to: person, at: "the phone of \(person)")
        }
        home.phones[person]?.sent?.outcome = outcome
        let told = "the phone of \(person) shows \(outcome.rawValue)"
        guard case .activation(_, _, at: let device) = decision.shown else { return told }
        return "\(told); \(try await ProviderAppWay.open(answer, at: device, again: again, in: home))"
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
