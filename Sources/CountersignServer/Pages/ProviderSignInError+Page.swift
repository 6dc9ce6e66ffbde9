internal import HTTPTypes

extension ProviderSignInError {
    /// The status and the texts of the page of the problem.
    var content: PageError.Content {
        switch self {
        case .unreachable:
            (.badGateway, .providerUnreachable, .providerUnreachableHappened, .providerUnreachableAdvice)
        case .busy:
            (.badGateway, .providerBusy, .providerBusyHappened, .providerUnreachableAdvice)
        case .badAnswer:
            (.badGateway, .providerBadAnswer, .providerBadAnswerHappened, .providerBadAnswerAdvice)
        case .refused:
            (.badGateway, .providerRefused, .providerRefusedHappened, .providerRefusedAdvice)
        case .notStarted:
            (.forbidden, .providerNotStarted, .providerNotStartedHappened, .providerNotStartedAdvice)
        case .mixedUp:
            (.forbidden, .providerMixedUp, .providerMixedUpHappened, .providerMixedUpAdvice)
        case .declined:
            (.forbidden, .providerDeclined, .providerDeclinedHappened, .providerDeclinedAdvice)
        case .notFresh:
            (.forbidden, .providerNotFresh, .providerNotFreshHappened, .providerNotFreshAdvice)
        case .freshnessUnknown:
            (.forbidden, .providerFreshnessUnknown, .providerFreshnessUnknownHappened, .providerFreshnessUnknownAdvice)
        case .notConnected:
            (.forbidden, .providerNotConnected, .providerNotConnectedHappened, .providerNotConnectedAdvice)
        case .locked:
            (.forbidden, .providerLocked, .providerLockedHappened, .providerLockedAdvice)
        case .another:
            (.forbidden, .providerAnother, .providerAnotherHappened, .providerAnotherAdvice)
        }
    }
}
