internal import Countersign

extension RequestEvent {
    /// The event and its place in words without a full stop.
    var words: LocalizedText {
        // The client gave the tokens back within a minute, because its person signed out, or said that it was not them.
        let happened = kind == .undone && by == .client ? LocalizedText.history(.signedOutAtOnce) : kind.words
        guard kind.isSomewhere, let place = placeWords else { return happened }
        return .history(.at, ["event": happened, "place": place])
    }

    /// The place in words, to follow an event; `nil` when none is known.
    private var placeWords: LocalizedText? {
        if isByAnother { return .history(.byAnother) }
        switch (place, by) {
        case (.browser?, _): return .history(.onPage)
        case (.device(let id)?, _):
            return .history(.onDevice, ["device": .isolated(FactLine.claim(placeName ?? id.rawValue))])
        case (.client(let id)?, _):
            return .history(.inApp, ["app": .isolated(FactLine.claim(placeName ?? id.rawValue))])
        case (.olderDevice?, _): return .history(.onOlderDevice)
        case (.textMessage?, _): return .history(.behindMessage)
        case (nil, .client): return .history(.atScreen)
        case (nil, .operator), (nil, .administrator): return .history(.byOperator)
        case (nil, .server): return .history(.byServer)
        case (.app?, _), (nil, .person), (nil, .stranger), (nil, nil): return nil
        }
    }

    /// The same in English, outside of pages and without the isolates around names, which have no direction controls.
    package var english: String { words.english.filter { !"\u{2068}\u{2069}".contains($0) } }

    /// The proofs of an approval, in words; empty for that of another person, and for every other event.
    var proofWords: [LocalizedText] {
        guard !isByAnother else { return [] }
        return switch kind {
        case .approved(let proofs), .approvedUnasked(let proofs): proofs.compactMap(\.words)
        default: []
        }
    }

    /// The proofs of an approval in English, outside of pages.
    package var englishProofs: [String] { proofWords.map(\.english) }
}

extension RequestEvent.Kind {
    /// Whether the place matters to a reader.
    fileprivate var isSomewhere: Bool {
        switch self {
        case .delivery, .seen, .taken, .numberMissed, .approved, .denied(.answer), .reported, .undone, .cancelled,
            .takenBack, .ended:
            true
        case .asked, .codeShown, .undelivered, .clientNotTold, .numberAsked, .refused, .approvedUnasked,
            .denied(.misses), .denied(.unmet), .denied(.notInGroup), .denied(.policy), .otherLink, .redeemed,
            .remembered, .redemptionRefused,
            .reused,
            .expired, .other:
            false
        }
    }

    fileprivate var words: LocalizedText {
        switch self {
        case .asked: .history(.asked)
        case .codeShown: .history(.codeShown)
        case .delivery(.push, let state): .history(state.key(.pushWaiting, .pushSent, .pushFailed))
        case .delivery(.text, let state): .history(state.key(.textWaiting, .textSent, .textFailed))
        case .delivery(.call, let state): .history(state.key(.callWaiting, .callSent, .callFailed))
        case .undelivered: .history(.undelivered)
        case .clientNotTold: .history(.clientNotTold)
        case .seen: .history(.seen)
        case .taken(.code): .history(.takenByCode)
        case .taken(.link): .history(.takenByLink)
        case .taken(.other): .history(.taken)
        case .numberAsked: .history(.numberAsked)
        case .numberMissed: .history(.numberMissed)
        case .refused: .history(.refused)
        case .approved: .history(.approved)
        case .approvedUnasked: .history(.approvedUnasked)
        case .denied(.answer): .history(.denied)
        case .denied(.misses): .history(.deniedByMisses)
        case .denied(.unmet): .history(.deniedUnmet)
        case .denied(.notInGroup): .history(.deniedNotInGroup)
        case .denied(.policy): .history(.deniedByPolicy)
        case .reported: .history(.reported)
        case .undone: .history(.undone)
        case .cancelled: .history(.cancelled)
        case .takenBack: .history(.takenBack)
        case .otherLink: .history(.otherLink)
        case .redeemed: .history(.redeemed)
        case .remembered: .history(.remembered)
        case .redemptionRefused: .history(.redemptionRefused)
        case .ended: .history(.ended)
        case .reused: .history(.reused)
        case .expired: .history(.expired)
        case .other(let act): .verbatim(act.rawValue)
        }
    }
}

extension RequestEvent.MessageState {
    fileprivate func key(
        _ waiting: TextKey.History, _ delivered: TextKey.History, _ failed: TextKey.History
    ) -> TextKey.History {
        switch self {
        case .waiting: waiting
        case .delivered: delivered
        case .failed: failed
        }
    }
}

extension Evidence.Proof {
    /// The proof in a few words; `nil` for one that says nothing to a person.
    var words: LocalizedText? {
        switch self {
        case .accountPassword: .history(.proofPassword)
        case .secondFactor: .history(.proofSecondFactor)
        case .passkey: .history(.proofPasskey)
        case .userVerified, .verifiedByDevice: .history(.proofConfirmed)
        case .enrolledDevice: .history(.proofDevice)
        case .federated(let issuer, how: _, at: _):
            .history(.proofProvider, ["provider": .isolated(issuer.rawValue)])
        case .codeTyped: .history(.proofCode)
        case .linkOpened: .history(.proofLink)
        case .knownBrowser: .history(.proofKnownBrowser)
        case .signedInBefore: .history(.proofSignedInBefore)
        case .namedByClient: .history(.proofNamedByClient)
        case .redirected: .history(.proofRedirected)
        case .possession: .history(.proofPossession)
        case .decisionSigned: .history(.proofSigned)
        case .numberMatched: .history(.proofNumber)
        case .nearby: .history(.proofNearby)
        case .personCodeTyped: .history(.proofPersonCode)
        case .ticketPresented: .history(.proofTicket)
        case .crossDevice: .history(.proofCrossDevice)
        case .network, .reached: nil
        }
    }
}
