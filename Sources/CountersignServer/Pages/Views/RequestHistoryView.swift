internal import Countersign
internal import FoundationEssentialsCompat

/// The life of one request, for the person whom it concerns.
struct RequestHistoryView: Page {
    static let template = PageTemplate.requestHistory
    static let showsTimes = true

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The facts of the request; empty when it was removed.
    let facts: [FactLine]
    /// The events, the oldest first.
    let events: [RequestEventView]
    /// Whether the request itself was removed, so that other records tell of it.
    let isSwept: Bool
    /// The offer to undo the approval; `nil` when there is none.
    let undo: UndoView?

    var title: LocalizedText { .history(.title) }

    init(personName: String, formToken: String, _ history: RequestHistory, at now: Date) {
        self.personName = personName
        self.formToken = formToken
        facts = history.records.facts(at: now)
        events = history.events.filter(\.isForPeople).map { RequestEventView($0, at: now) }
        isSwept = history.records.isSwept
        undo = history.undoOffer(at: now)
    }
}

/// One event of a request.
struct RequestEventView: Sendable, Equatable {
    let happened: LocalizedText
    let eventTime: TimeDisplay
    /// The network address of the party that acted; `nil` when none is known.
    let eventAddress: String?
    /// The proofs of an approval.
    let proofs: [EventProof]

    /// One proof.
    struct EventProof: Sendable, Equatable {
        let proof: LocalizedText
    }

    init(_ event: RequestEvent, at now: Date) {
        happened = event.words
        eventTime = TimeDisplay(event.at, at: now)
        eventAddress = event.address
        proofs = event.proofWords.map(EventProof.init)
    }
}

extension RequestRecords {
    /// The facts of the request, as the page that asks for a decision shows them.
    fileprivate func facts(at now: Date) -> [FactLine] {
        guard let request else { return [] }
        var facts: [FactLine] = []
        if let askingPage { facts.append(.page(for: askingPage)) }
        if let client { facts.append(.app(client, request.client.provenance)) }
        if let domain { facts.append(.service(domain)) }
        if let address = request.address { facts.append(.address(address)) }
        facts.append(.asked(request.asked, at: now))
        if let name = request.deviceName { facts.append(.deviceName(name)) }
        if let service = request.service { facts += FactLine.service(service.value, at: now) }
        if let software = request.software { facts.append(.software(software)) }
        return facts
    }
}

extension RequestHistory {
    /// The offer to undo the approval; `nil` when there is none.
    fileprivate func undoOffer(at now: Date) -> UndoView? {
        guard let end = undoEnd(at: now), let grant = records.grant else { return nil }
        return UndoView(grant: grant.id.rawValue, until: end, at: now)
    }
}
