internal import Countersign

/// A person's answer to one sign-in request, as received by an endpoint or page. It has no effect until
/// ``ApprovalService`` has decided on it.
struct ProposedDecision: Sendable {
    /// The answer of the party.
    enum Answer: String, Sendable {
        case approve, deny
    }

    /// The state of the request before the decision.
    enum RequestState: Sendable {
        /// In the store; the party took it before.
        case taken
        /// In the store; the party takes it together with its answer.
        case open
        /// Nowhere yet; it is stored together with the answer to it.
        case new
    }

    /// A person's wish that the client of a request asks them nothing more.
    enum Objection: Sendable, Equatable {
        /// They did not start the request; the reason is in their words, `nil` when they give none.
        case report(reason: String?)
        /// They want to be left alone.
        case mute

        /// In the person's words; `nil` for none.
        var reason: String? {
            switch self {
            case .report(let reason): reason
            case .mute: nil
            }
        }

        /// The reason that the mute keeps.
        var muteCause: Mute.Cause {
            switch self {
            case .report: .reported
            case .mute: .muted
            }
        }
    }

    var answer: Answer
    /// The request, as the change that decides it read it.
    let stored: SignInExchangeRecord
    let requestState: RequestState
    let party: DecidingParty
    /// The proofs that the party gives with the answer; those from taking the request are added.
    var evidence: Evidence
    /// The nearby link that carries the answer.
    var link: NearbyLinkID?
    /// The network address of the party.
    let address: String?
    /// A further note about the answer for the audit.
    var note: String?
    /// The code of the digits that were typed, for a request that wants digits; `nil` when none were.
    var typed: DigitsCode?
    /// The wish to be asked nothing more by the client, with a denial; `nil` for none.
    var objection: Objection?
    /// The time that the person chose for the sign-in, with an approval; `nil` where they chose none.
    var sessionTerm: SessionTerm?

    /// Whether a number was typed at a phone that is near the screen, which needs none: then it has to be right.
    var typesNumberNearby: Bool {
        typed != nil && evidence.proofs.contains { if case .nearby = $0 { true } else { false } }
    }

    /// Binds an approval to a new link, which only the screen's own device receives: by the browser or the app there that
    /// brings the answer back.
    mutating func bindToDeviceOfScreen(by mint: CodeMint) { link = NearbyLinkID(restoring: mint.keyBytes(32)) }
}

/// The outcome of a proposed decision.
enum DecisionOutcome: Sendable, Equatable {
    /// The answer is recorded.
    case decided
    /// The same person gave the same answer before. It stands, and nothing was written.
    case repeated
    /// Another answer was given before, or another person gave it. It stands.
    case alreadyDecided(wasApproved: Bool)
    /// The party does not hold the request, or no longer.
    case notTaken
    /// The request expired.
    case expired
    /// The requesting side gave the request up.
    case cancelled
    /// The request is for another person.
    case addressedToAnother
    /// The approval comes from a page before its delay is over. Nothing was written.
    case tooEarly
    /// The digits that an approval needs are wrong or missing; with the last miss the request is denied.
    case wrongDigits(isLast: Bool)
    /// The person has no way to authenticate as the client asked for it. The request is denied, and its client told
    /// why.
    case unmet
    /// Policy does not allow the approval.
    case refused(Policy.ViolationError)
}
