internal import CountersignWire
internal import FoundationEssentialsCompat

extension ResultView.Outcome {
    /// The words of the page.
    struct Words: Sendable, Equatable {
        let heading: LocalizedText
        let happened: LocalizedText
        let next: LocalizedText

        init(_ heading: TextKey, _ happened: LocalizedText, _ next: TextKey) {
            self.heading = .text(heading)
            self.happened = happened
            self.next = .text(next)
        }

        fileprivate init(_ heading: TextKey, _ happened: TextKey, _ next: TextKey) {
            self.init(heading, .text(happened), next)
        }
    }

    /// The words on what happened, and on what happens next. An app's name is put in bidirectional isolates, so that it
    /// can't reverse the sentence.
    var words: Words {
        switch self {
        case .approved(let app, for: .screen, undo: _):
            return Words(
                .resultApproved, .text(.resultApprovedHappened, ["app": .isolated(app)]), .resultApprovedNext)
        case .approved(let app, for: .domain(let service), undo: _):
            let happened = LocalizedText.text(
                .resultApprovedForService, ["app": .isolated(app), "service": .isolated(service)])
            return Words(.resultApproved, happened, .resultApprovedNext)
        case .approved(let app, for: .program(let purpose, let end), undo: _):
            let happened = LocalizedText.text(
                .resultApprovedProgram, ["app": .isolated(app), "purpose": .isolated(purpose), "when": end])
            return Words(.resultApproved, happened, .resultApprovedProgramNext)
        case .approved(let app, for: .named, undo: _):
            return Words(
                .resultApproved, .text(.resultApprovedNamed, ["app": .isolated(app)]), .resultApprovedNamedNext)
        case .approvedBrowser:
            return Words(.resultApproved, .resultApprovedBrowserHappened, .resultApprovedBrowserNext)
        case .denied: return Words(.resultDenied, .resultDeniedHappened, .resultDeniedNext)
        case .undone(let how?):
            return Words(.resultUndone, .text(.resultUndoneHow, ["how": how]), .resultUndoneNext)
        case .undone(nil): return Words(.resultUndone, .resultUndoneHappened, .resultUndoneNext)
        case .expired: return Words(.resultExpired, .resultExpiredHappened, .resultExpiredNext)
        case .cancelled: return Words(.resultCancelled, .resultCancelledHappened, .resultExpiredNext)
        case .nearbyOnly: return Words(.resultNearbyOnly, .resultNearbyOnlyHappened, .resultNearbyOnlyNext)
        case .passwordOnly: return Words(.resultNotLikeThis, .resultPasswordOnlyHappened, .resultPasswordOnlyNext)
        case .secondFactorOnly:
            return Words(.resultNotLikeThis, .resultSecondFactorOnlyHappened, .resultSecondFactorOnlyNext)
        case .groupOnly: return Words(.resultNotLikeThis, .resultGroupOnlyHappened, .resultGroupOnlyNext)
        case .unmet: return Words(.resultNotLikeThis, .resultUnmetHappened, .resultUnmetNext)
        case .passkeyOnly: return Words(.resultPasskeyOnly, .resultPasskeyOnlyHappened, .resultPasskeyOnlyNext)
        case .deviceOnly: return Words(.resultNearbyOnly, .resultDeviceOnlyHappened, .resultDeviceOnlyNext)
        case .alreadyDecided:
            return Words(.resultAlreadyDecided, .resultAlreadyDecidedHappened, .resultAlreadyDecidedNext)
        }
    }
}

extension AnswerPlace {
    /// The place and the time in words, for a page at `now`.
    func words(at now: Date) -> LocalizedText {
        let key: TextKey =
            switch (kind, name) {
            case (.browser, .some): .resultAnsweredInBrowser
            case (.browser, nil): .resultAnsweredInABrowser
            case (.device, .some): .resultAnsweredOnDevice
            case (.device, nil): .resultAnsweredOnADevice
            case (.textMessage, _): .resultAnsweredByMessage
            }
        let place = LocalizedText.isolated(FactLine.claim(name ?? ""))
        return .text(key, ["place": place, "when": TimeDisplay(answered, at: now).text])
    }
}
