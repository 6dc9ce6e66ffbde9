/// A problem with one field of a service; its description is for administrators, in English.
package enum DomainProblem: Sendable, Equatable, CustomStringConvertible {
    case badDomain
    /// A service of this domain exists already.
    case taken
    case badName
    case badSignOn
    case badGroup
    case tooManyAddresses
    /// An address of the service, and what is wrong with it.
    case badAddress(String, RedirectURIFault)
    case badLifetime

    package var description: String { shown.english }
}

extension DomainProblem {
    /// The problem as a page shows it.
    var shown: LocalizedText {
        switch self {
        case .badDomain: .text(.domainFormBadDomain)
        case .taken: .text(.domainFormTaken)
        case .badName: .text(.domainFormBadName)
        case .badSignOn:
            .text(
                .domainFormBadSignOn,
                ["choices": .verbatim(ServiceDomain.SignOn.allCases.map(\.rawValue).joined(separator: ", "))]
            )
        case .badGroup: .text(.domainFormBadGroup)
        case .tooManyAddresses:
            .text(.domainFormTooManyAddresses, ["most": .verbatim("\(DomainDraft.mostAddresses)")])
        case .badAddress(let address, let fault):
            .text(.domainFormBadAddress, ["address": .verbatim(address), "reason": fault.shown])
        case .badLifetime:
            .text(
                .domainFormBadLifetime,
                [
                    "least": .verbatim("\(Int(ServiceDomain.tokenLifetimes.lowerBound))"),
                    "most": .verbatim("\(Int(ServiceDomain.tokenLifetimes.upperBound))"),
                ]
            )
        }
    }
}
