package import FoundationEssentialsCompat

/// The life of one request for sign-in, without secrets.
///
/// It follows from the stored records alone. Requests are removed some time after their deadline; what the audit, the
/// sign-in and the deliveries tell then is left.
package struct RequestHistory: Sendable {
    package let records: RequestRecords
    /// The person who reads it; `nil` for an operator.
    private let reader: Subject?
    /// The events, the oldest first.
    package let events: [RequestEvent]
    /// The answer that the client gets now; `nil` when it asks for none with a code, or the request was removed.
    package let poll: PollForecast?

    /// Tells the life of a request.
    ///
    /// - Parameters:
    ///   - records: The records about it.
    ///   - reader: The person who reads it, and learns no place and no proofs of another person; `nil`, the default, for
    ///     an operator.
    ///   - now: The current time.
    package init(_ records: RequestRecords, to reader: Subject? = nil, at now: Date) {
        self.records = records
        self.reader = reader
        let audited = records.entries.flatMap { records.events(of: $0, to: reader) }
        var events =
            records.beginning + records.messages(to: reader) + audited + records.unaudited(besides: audited, to: reader)
        if let end = records.expiry(after: audited, at: now) { events.append(end) }
        let ordered = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        self.events = ordered.map { _, event in event.named(records.placeNames) }
        poll = records.exchange.flatMap { PollForecast(of: $0, at: now) }
    }

    /// The last event that decided the request or ended its approval; `nil` before.
    package var outcome: RequestEvent? { events.last { $0.kind.isOutcome } }

    /// Whether the reader decided the request, or held it when it was given up, even if the decision has ended.
    var isDecidedByReader: Bool {
        events.contains { $0.kind.isOutcome && $0.kind != .expired && $0.subject == reader }
    }

    /// The event that ended an approval; `nil` for none.
    var end: RequestEvent? {
        guard let approval = events.firstIndex(where: { $0.kind.isApproval }) else { return nil }
        return events[approval...].last { $0.kind.isEnd }
    }

    /// The end of the time for the reader to undo their approval; `nil` when there is none that can be undone at `now`.
    func undoEnd(at now: Date) -> Date? {
        guard let stored = records.exchange, let grant = stored.exchange.grant, grant.subject == reader,
            records.signIn?.revoked == nil, case .open(until: let end) = stored.undoWindow(of: grant, at: now)
        else { return nil }
        return end
    }
}

extension RequestRecords {
    /// The creation of the request.
    fileprivate var beginning: [RequestEvent] {
        guard let request else { return [] }
        let source: RequestEvent.Source = exchange == nil ? .signIn : .request
        let asked = RequestEvent(
            at: request.asked.value, .asked, by: .client, address: request.address?.value, from: source)
        guard case .deviceCode = exchange?.method else { return [asked] }
        return [asked, RequestEvent(at: request.asked.value, .codeShown, from: source)]
    }

    /// The messages and calls about the request, with the devices for their person alone.
    fileprivate func messages(to reader: Subject?) -> [RequestEvent] {
        let namesDevices = reader == nil || reader == request?.personAsked
        return deliveries.compactMap { delivery in
            let message: RequestEvent.Message
            switch delivery.content {
            case .push, .browserPush: message = .push
            case .text: message = .text
            case .webhook: message = .call
            case .mail, .newDevice, .limitAlarm: return nil
            }
            let place = namesDevices ? delivery.place : nil
            func event(_ instant: Date, _ state: RequestEvent.MessageState) -> RequestEvent {
                RequestEvent(at: instant, .delivery(message, state), place: place, from: .delivery)
            }
            switch delivery.state {
            case .waiting: return event(delivery.made, .waiting)
            case .delivered(let instant): return event(instant, .delivered)
            case .failed(let failure, at: let instant): return event(instant, .failed(failure))
            }
        }
    }

    /// The events that an entry of the audit tells of.
    fileprivate func events(of entry: AuditEntry, to reader: Subject?) -> [RequestEvent] {
        let note = AuditedNote(entry.facts.detail)
        let kinds: [RequestEvent.Kind]
        switch entry.facts.act {
        case .seen: kinds = [.seen]
        case .taken:
            let arrival: RequestEvent.Arrival =
                if note.has(Evidence.name(of: .codeTyped)) { .code } else {
                    note.has(Evidence.name(of: .linkOpened)) ? .link : .other
                }
            kinds = [.taken(arrival)] + (LinkDemand.number.audited.map(note.has) == true ? [.numberAsked] : [])
        case .numberMissed: kinds = [.numberMissed]
        case .refused: kinds = [.refused]
        case .approved:
            let proofs = grant?.evidence.proofs ?? []
            kinds = [entry.facts.by == .server ? .approvedUnasked(proofs) : .approved(proofs)]
        case .denied: kinds = [.denied(RequestEvent.Denial(note, by: entry.facts.by))]
        case .reported: kinds = [.reported]
        case .withdrawn, .signedOut, .loggedOut:
            if note.isUndo {
                kinds = [.undone]
            } else if entry.facts.act == .withdrawn {
                kinds = [entry.facts.by == .client ? .cancelled : .takenBack]
            } else {
                kinds = [.ended]
            }
        case .otherLink: kinds = [.otherLink]
        case .signedIn: kinds = [.redeemed]
        case .screenRemembered: kinds = [.remembered]
        case .redemptionRefused: kinds = [.redemptionRefused]
        case .codeReused, .refreshTokenReused, .ticketReused: kinds = [.reused]
        case .decisionNotDelivered: kinds = [.clientNotTold]
        case .messageNotDelivered: kinds = deliveries.isEmpty ? [.undelivered] : []
        default: kinds = [.other(entry.facts.act)]
        }
        let place = place(of: entry, note)
        return kinds.map { RequestEvent($0, entry, place: place, to: reader) }
    }

    /// The place where the person of an entry acted; `nil` when no person did, or none is known.
    private func place(of entry: AuditEntry, _ note: AuditedNote) -> ApproverPlace? {
        guard entry.facts.by == .person else { return nil }
        if let signer, [.approved, .denied, .reported].contains(entry.facts.act) { return signer }
        return note.place
    }

    /// The events that the audit does not tell of any more, or never did.
    fileprivate func unaudited(besides audited: [RequestEvent], to reader: Subject?) -> [RequestEvent] {
        var events: [RequestEvent] = []
        let source: RequestEvent.Source = signIn == nil ? .request : .signIn
        if let grant, !audited.contains(where: { $0.kind.isApproval }) {
            var approval = RequestEvent(at: grant.approved, .approved(grant.evidence.proofs), from: source)
            approval.isByAnother = reader != nil && reader != grant.subject
            events.append(approval)
        }
        if let cancelled = exchange?.terms.cancelled, !audited.contains(where: { $0.kind == .cancelled }) {
            events.append(RequestEvent(at: cancelled, .cancelled, by: .client, from: .request))
        }
        guard let signIn else { return events }
        if !audited.contains(where: { $0.kind == .redeemed }) {
            events.append(RequestEvent(at: signIn.signedIn, .redeemed, by: .client, from: .signIn))
        }
        if let revoked = signIn.revoked, !audited.contains(where: { $0.kind.isEnd }) {
            events.append(RequestEvent(at: revoked, .ended, from: .signIn))
        }
        return events
    }

    /// The end of the time for a decision; `nil` when there was one, or there is time left.
    fileprivate func expiry(after audited: [RequestEvent], at now: Date) -> RequestEvent? {
        guard let stored = exchange, now >= stored.exchange.request.deadline else { return nil }
        switch stored.exchange.state {
        case .open, .taken, .approved:
            return RequestEvent(at: stored.exchange.request.deadline, .expired, by: .server, from: .request)
        case .denied, .redeemed, .cancelled: return nil
        }
    }
}

extension RequestEvent.Denial {
    fileprivate init(_ note: AuditedNote, by actor: AuditActor) {
        if actor == .server {
            self = .policy
        } else if note.has(ApprovalNote.lastMiss) {
            self = .misses
        } else if note.has(ApprovalNote.unmet) {
            self = .unmet
        } else if note.has(ApprovalNote.notInGroup) {
            self = .notInGroup
        } else {
            self = .answer
        }
    }
}
