extension ResultView.Outcome {
    /// The words of the page.
    struct Words: Sendable, Equatable {
        let heading: LocalizedText
        let happened: LocalizedText
        let next: LocalizedText
    }

    /// The words on what happened, and on what happens next. An app's name is put in bidirectional isolates, so that it
    /// can't reverse the sentence.
    var words: Words {
        switch self {
        case .approved(let app, forService: let service, undo: _):
            Words(
                heading: .text(.resultApproved),
                happened: service.map {
                    .text(.resultApprovedForService, ["app": .isolated(app), "service": .isolated($0)])
                }
                    ?? .text(.resultApprovedHappened, ["app": .isolated(app)]),
                next: .text(.resultApprovedNext)
            )
        case .denied:
            Words(
                heading: .text(.resultDenied),
                happened: .text(.resultDeniedHappened),
                next: .text(.resultDeniedNext)
            )
        case .undone:
            Words(
                heading: .text(.resultUndone),
                happened: .text(.resultUndoneHappened),
                next: .text(.resultUndoneNext)
            )
        case .expired:
            Words(
                heading: .text(.resultExpired),
                happened: .text(.resultExpiredHappened),
                next: .text(.resultExpiredNext)
            )
        case .nearbyOnly:
            Words(
                heading: .text(.resultNearbyOnly),
                happened: .text(.resultNearbyOnlyHappened),
                next: .text(.resultNearbyOnlyNext)
            )
        case .passwordOnly:
            Words(
                heading: .text(.resultNotLikeThis),
                happened: .text(.resultPasswordOnlyHappened),
                next: .text(.resultPasswordOnlyNext)
            )
        case .secondFactorOnly:
            Words(
                heading: .text(.resultNotLikeThis),
                happened: .text(.resultSecondFactorOnlyHappened),
                next: .text(.resultSecondFactorOnlyNext)
            )
        case .unmet:
            Words(
                heading: .text(.resultNotLikeThis),
                happened: .text(.resultUnmetHappened),
                next: .text(.resultUnmetNext)
            )
        case .passkeyOnly:
            Words(
                heading: .text(.resultPasskeyOnly),
                happened: .text(.resultPasskeyOnlyHappened),
                next: .text(.resultPasskeyOnlyNext)
            )
        case .alreadyDecided:
            Words(
                heading: .text(.resultAlreadyDecided),
                happened: .text(.resultAlreadyDecidedHappened),
                next: .text(.resultAlreadyDecidedNext)
            )
        }
    }
}
