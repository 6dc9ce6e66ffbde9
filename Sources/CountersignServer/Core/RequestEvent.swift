package import FoundationEssentialsCompat

/// One event in the life of a request for sign-in.
package struct RequestEvent: Sendable, Equatable {
    /// The kind of an event.
    package enum Kind: Sendable, Equatable {
        case asked
        /// The screen received the code and the link that it shows.
        case codeShown
        /// A message or a call about it.
        case delivery(Message, MessageState)
        /// A message or a call about it failed; no record of it is left but that of the audit.
        case undelivered
        /// The client could not be told of the decision.
        case clientNotTold
        /// An app that approves read it.
        case seen
        /// A person opened it, and is about to decide.
        case taken(Arrival)
        /// The person was asked for the number of the screen.
        case numberAsked
        case numberMissed
        /// Policy did not allow the approval.
        case refused
        /// A person approved it, with the proofs as far as they are known.
        case approved([Evidence.Proof])
        /// The server approved it, because of an earlier approval.
        case approvedUnasked([Evidence.Proof])
        case denied(Denial)
        /// A person reported it as none of theirs.
        case reported
        /// The approval was undone.
        case undone
        /// The client gave the request up.
        case cancelled
        /// The request or its approval ended with a sign-out, or because the screen no longer remembers its person.
        case takenBack
        /// The screen that asked for the tokens was not the one that was approved.
        case otherLink
        case redeemed
        /// The person is remembered on the screen from then on.
        case remembered
        case redemptionRefused
        /// The sign-in ended.
        case ended
        /// A credential was used again, which ended the sign-in.
        case reused
        /// The time for a decision was over.
        case expired
        /// Another act of the audit.
        case other(AuditAct)
    }

    /// The way in which a person found a request.
    package enum Arrival: String, Sendable {
        case code, link, other
    }

    /// The cause of a denial.
    package enum Denial: Sendable, Equatable {
        case answer
        /// The number was wrong too often.
        case misses
        /// The person cannot authenticate as the client asks for it.
        case unmet
        /// The person is not in the group that the scope needs.
        case notInGroup
        /// The person might not sign in any more when the grant was to be redeemed.
        case policy
    }

    /// The kind of a message or call.
    package enum Message: String, Sendable {
        case push, text, call
    }

    /// The state of a message or call.
    package enum MessageState: Sendable, Equatable {
        case waiting, delivered
        case failed(Delivery.Failure)
    }

    /// The record that tells of an event.
    package enum Source: Sendable, Equatable {
        /// The request itself.
        case request
        /// The entry of the audit with this number.
        case audit(Int)
        case signIn
        case delivery
    }

    /// The time of the event, by the server's clock.
    package let at: Date
    package let kind: Kind
    /// The party that acted; `nil` when none is noted.
    package let by: AuditActor?
    /// The place of the person who acted, or whom a message reached; `nil` when none is known, or it is another person's.
    package let place: ApproverPlace?
    /// The name of the device or app at that place; `nil` for none.
    private(set) var placeName: String?
    /// Whether a person other than the reader acted, who does not learn their place and proofs.
    package internal(set) var isByAnother = false
    /// The network address of the party that acted; `nil` when there is none, or it is another person's.
    package let address: String?
    /// The person who acted, or whose approval it is; `nil` for none.
    package let subject: Subject?
    package let source: Source
    /// The words of the audit, without secrets; `nil` for none.
    package let detail: String?

    init(
        at instant: Date, _ kind: Kind, by actor: AuditActor? = nil, place: ApproverPlace? = nil,
        address: String? = nil, from source: Source
    ) {
        at = instant
        self.kind = kind
        by = actor
        self.place = place
        self.address = address
        self.source = source
        subject = nil
        detail = nil
    }

    /// An event of the audit.
    ///
    /// - Parameter reader: The person who reads it, and learns no place of another person; `nil` for an operator.
    init(_ kind: Kind, _ entry: AuditEntry, place: ApproverPlace?, to reader: Subject?) {
        let facts = entry.facts
        isByAnother = reader != nil && facts.subject != reader && facts.by == .person
        at = facts.at
        self.kind = kind
        by = facts.by
        self.place = isByAnother ? nil : place
        address = isByAnother ? nil : facts.address
        subject = facts.subject
        source = .audit(entry.number)
        detail = facts.detail
    }
}

extension RequestEvent {
    /// The event with the name of its place.
    func named(_ names: [ApproverPlace: String]) -> RequestEvent {
        var event = self
        event.placeName = place.flatMap { names[$0] }
        return event
    }

    /// Whether it has words for people; other acts of the audit have a name for operators only.
    var isForPeople: Bool {
        if case .other = kind { false } else { true }
    }
}

extension RequestEvent.Kind {
    /// The effects of an event on the decision about a request.
    private enum Effect {
        case approves, denies
        /// It ends an approval.
        case ends
        /// It ends the time for a decision.
        case expires
    }

    private var effect: Effect? {
        switch self {
        case .approved, .approvedUnasked: .approves
        case .denied, .reported: .denies
        case .undone, .cancelled, .takenBack, .otherLink, .ended, .reused: .ends
        case .expired: .expires
        case .asked, .codeShown, .delivery, .undelivered, .clientNotTold, .seen, .taken, .numberAsked, .numberMissed,
            .refused, .redeemed, .remembered, .redemptionRefused, .other:
            nil
        }
    }

    /// Whether it decides a request, or ends a decision or the time for it.
    var isOutcome: Bool { effect != nil }

    /// Whether it is an approval.
    var isApproval: Bool { effect == .approves }

    /// Whether it ends an approval.
    var isEnd: Bool { effect == .ends }
}
