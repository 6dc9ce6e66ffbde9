import Foundation

@testable import Countersign

/// One request, the people around it, and instants: all that the exchange's tests share.
enum Sample {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    static let deadline = noon + 600

    static let anna = ApproverIdentity(subject: Subject("anna"), id: ApproverID("annas-phone"))
    static let annaElsewhere = ApproverIdentity(subject: Subject("anna"), id: ApproverID("annas-laptop"))
    static let bert = ApproverIdentity(subject: Subject("bert"), id: ApproverID("berts-phone"))

    static let request = SignInRequest(
        id: SignInRequest.ID("a-request"),
        client: .asserted(ClientID("tv")),
        scope: .verified(Scope([.openid])),
        asked: .observed(noon),
        deadline: deadline
    )

    static let addressed = SignInRequest(
        id: SignInRequest.ID("a-confirmation"),
        client: .verified(ClientID("tv")),
        scope: .verified(.none),
        domain: .verified(Domain("sp.example.com")),
        addressee: anna.subject,
        asked: .observed(noon),
        deadline: deadline
    )

    static func grant(_ name: String = "a-grant", approved: Date = noon + 30) -> Grant {
        Grant(
            id: Grant.ID(name),
            subject: anna.subject,
            client: ClientID("tv"),
            scope: Scope([.openid]),
            evidence: Evidence([.accountPassword(at: noon - 60), .codeTyped]),
            approved: approved
        )
    }

    /// An exchange that stands as `state` says.
    static func exchange(_ state: SignInExchange.State = .open) -> SignInExchange {
        SignInExchange(restoring: request, in: state)
    }

    /// An exchange that `approver` took at `instant`.
    static func taken(by approver: ApproverIdentity = anna, at instant: Date = noon + 10) -> SignInExchange {
        exchange(.taken(Taking(approver: approver, evidence: Evidence(), taken: instant)))
    }
}

extension SignInExchange {
    /// Why the exchange refuses to be taken; `nil` when it was taken.
    mutating func refusal(toBeTakenBy approver: ApproverIdentity, at now: Date) -> TakingError? {
        do {
            try take(by: approver, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// Why a decision is refused; `nil` when it was recorded.
    mutating func refusal(of decision: Decision, by approver: ApproverIdentity, at now: Date) -> DecisionError? {
        do {
            try record(decision, by: approver, at: now)
            return nil
        } catch {
            return error
        }
    }
}
