extension ProblemView {
    /// The page for a person who could not sign in with another provider.
    ///
    /// - Parameter name: The provider's name.
    static func provider(_ problem: ProviderProblem, named name: String) -> ProblemView {
        let values = ["name": LocalizedText.verbatim(name)]
        return switch problem {
        case .unreachable:
            ProblemView(
                status: 502,
                heading: .text(.providerUnreachable, values),
                happened: .text(.providerUnreachableHappened, values),
                advice: .text(.providerUnreachableAdvice)
            )
        case .busy:
            ProblemView(
                status: 502,
                heading: .text(.providerBusy, values),
                happened: .text(.providerBusyHappened, values),
                advice: .text(.providerUnreachableAdvice)
            )
        case .badAnswer:
            ProblemView(
                status: 502,
                heading: .text(.providerBadAnswer, values),
                happened: .text(.providerBadAnswerHappened, values),
                advice: .text(.providerBadAnswerAdvice)
            )
        case .refused:
            ProblemView(
                status: 502,
                heading: .text(.providerRefused, values),
                happened: .text(.providerRefusedHappened, values),
                advice: .text(.providerRefusedAdvice)
            )
        case .notStarted:
            ProblemView(
                status: 403,
                heading: .text(.providerNotStarted),
                happened: .text(.providerNotStartedHappened),
                advice: .text(.providerNotStartedAdvice)
            )
        case .mixedUp:
            ProblemView(
                status: 403,
                heading: .text(.providerMixedUp, values),
                happened: .text(.providerMixedUpHappened),
                advice: .text(.providerMixedUpAdvice)
            )
        case .declined:
            ProblemView(
                status: 403,
                heading: .text(.providerDeclined, values),
                happened: .text(.providerDeclinedHappened, values),
                advice: .text(.providerDeclinedAdvice)
            )
        case .notFresh:
            ProblemView(
                status: 403,
                heading: .text(.providerNotFresh, values),
                happened: .text(.providerNotFreshHappened, values),
                advice: .text(.providerNotFreshAdvice, values)
            )
        case .freshnessUnknown:
            ProblemView(
                status: 403,
                heading: .text(.providerFreshnessUnknown, values),
                happened: .text(.providerFreshnessUnknownHappened, values),
                advice: .text(.providerFreshnessUnknownAdvice)
            )
        case .notConnected:
            ProblemView(
                status: 403,
                heading: .text(.providerNotConnected, values),
                happened: .text(.providerNotConnectedHappened, values),
                advice: .text(.providerNotConnectedAdvice, values)
            )
        case .locked:
            ProblemView(
                status: 403,
                heading: .text(.providerLocked, values),
                happened: .text(.providerLockedHappened),
                advice: .text(.providerLockedAdvice)
            )
        case .another:
            ProblemView(
                status: 403,
                heading: .text(.providerAnother),
                happened: .text(.providerAnotherHappened, values),
                advice: .text(.providerAnotherAdvice, values)
            )
        }
    }
}
