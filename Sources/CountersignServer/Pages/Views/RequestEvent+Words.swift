internal import Countersign

extension RequestEvent {
    /// The event and its place in words without a full stop.
    var words: LocalizedText {
        guard kind.isSomewhere, let place = place.words else { return kind.words }
        return .text(.historyAt, ["event": kind.words, "place": place])
    }

    /// The same in English, outside of pages and without the isolates around names, which have no direction controls.
    package var english: String { words.english.filter { !"\u{2068}\u{2069}".contains($0) } }

    /// The proofs of an approval, in words; empty for that of another person, and for every other event.
    var proofWords: [LocalizedText] {
        guard place != .anotherPerson else { return [] }
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
        case .delivery, .seen, .taken, .numberMissed, .approved, .denied(.answer), .reported, .undone, .takenBack,
            .ended:
            true
        case .asked, .codeShown, .undelivered, .clientNotTold, .numberAsked, .refused, .approvedUnasked,
            .denied(.misses), .denied(.unmet), .denied(.policy), .otherLink, .redeemed, .remembered, .redemptionRefused,
            .reused,
            .expired, .other:
            false
        }
    }

    fileprivate var words: LocalizedText {
        switch self {
        case .asked: .text(.historyAsked)
        case .codeShown: .text(.historyCodeShown)
        case .delivery(.push, let state): .text(state.key(.historyPushWaiting, .historyPushSent, .historyPushFailed))
        case .delivery(.text, let state): .text(state.key(.historyTextWaiting, .historyTextSent, .historyTextFailed))
        case .delivery(.call, let state): .text(state.key(.historyCallWaiting, .historyCallSent, .historyCallFailed))
        case .undelivered: .text(.historyUndelivered)
        case .clientNotTold: .text(.historyClientNotTold)
        case .seen: .text(.historySeen)
        case .taken(.code): .text(.historyTakenByCode)
        case .taken(.link): .text(.historyTakenByLink)
        case .taken(.other): .text(.historyTaken)
        case .numberAsked: .text(.historyNumberAsked)
        case .numberMissed: .text(.historyNumberMissed)
        case .refused: .text(.historyRefused)
        case .approved: .text(.historyApproved)
        case .approvedUnasked: .text(.historyApprovedUnasked)
        case .denied(.answer): .text(.historyDenied)
        case .denied(.misses): .text(.historyDeniedByMisses)
        case .denied(.unmet): .text(.historyDeniedUnmet)
        case .denied(.policy): .text(.historyDeniedByPolicy)
        case .reported: .text(.historyReported)
        case .undone: .text(.historyUndone)
        case .takenBack: .text(.historyTakenBack)
        case .otherLink: .text(.historyOtherLink)
        case .redeemed: .text(.historyRedeemed)
        case .remembered: .text(.historyRemembered)
        case .redemptionRefused: .text(.historyRedemptionRefused)
        case .ended: .text(.historyEnded)
        case .reused: .text(.historyReused)
        case .expired: .text(.historyExpired)
        case .other(let act): .verbatim(act.rawValue)
        }
    }
}

extension RequestEvent.MessageState {
    fileprivate func key(_ waiting: TextKey, _ delivered: TextKey, _ failed: TextKey) -> TextKey {
        switch self {
        case .waiting: waiting
        case .delivered: delivered
        case .failed: failed
        }
    }
}

extension RequestEvent.Place {
    /// The place in words, to follow an event; `nil` when none is known.
    fileprivate var words: LocalizedText? {
        switch self {
        case .page: .text(.historyOnPage)
        case .device(let name): .text(.historyOnDevice, ["device": .isolated(FactLine.claim(name))])
        case .app(let name): .text(.historyInApp, ["app": .isolated(FactLine.claim(name))])
        case .olderDevice: .text(.historyOnOlderDevice)
        case .messageLink: .text(.historyBehindMessage)
        case .screen: .text(.historyAtScreen)
        case .operator: .text(.historyByOperator)
        case .server: .text(.historyByServer)
        case .anotherPerson: .text(.historyByAnother)
        case .unknown: nil
        }
    }
}

extension Evidence.Proof {
    /// The proof in a few words; `nil` for one that says nothing to a person.
    fileprivate var words: LocalizedText? {
        switch self {
        case .accountPassword: .text(.historyProofPassword)
        case .secondFactor: .text(.historyProofSecondFactor)
        case .passkey: .text(.historyProofPasskey)
        case .userVerified, .verifiedByDevice: .text(.historyProofConfirmed)
        case .enrolledDevice: .text(.historyProofDevice)
        case .federated(let issuer, how: _, at: _):
            .text(.historyProofProvider, ["provider": .isolated(issuer.rawValue)])
        case .codeTyped: .text(.historyProofCode)
        case .linkOpened: .text(.historyProofLink)
        case .knownBrowser: .text(.historyProofKnownBrowser)
        case .signedInBefore: .text(.historyProofSignedInBefore)
        case .namedByClient: .text(.historyProofNamedByClient)
        case .redirected: .text(.historyProofRedirected)
        case .possession: .text(.historyProofPossession)
        case .decisionSigned: .text(.historyProofSigned)
        case .numberMatched: .text(.historyProofNumber)
        case .nearby: .text(.historyProofNearby)
        case .personCodeTyped: .text(.historyProofPersonCode)
        case .ticketPresented: .text(.historyProofTicket)
        case .crossDevice: .text(.historyProofCrossDevice)
        case .network, .reached: nil
        }
    }
}
