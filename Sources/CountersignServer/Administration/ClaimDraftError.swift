internal import CountersignWire

/// The input of an operator about a claim is invalid; its description names the options of the command.
package enum ClaimDraftError: Error, Sendable, Equatable, CustomStringConvertible {
    case badName, badAttribute, badForm, valuesOfAttribute
    /// A protocol or this server gives the claim its meaning.
    case reservedName(String)
    case badSource(String)
    case badValue(String)
    case badScope(String)

    package var description: String { shown { .verbatim("--\($0.rawValue)") }.english }

    /// The sentence on a page.
    var shown: LocalizedText { shown { .admin($0.label) } }

    private func shown(naming name: (ClaimDraft.Field) -> LocalizedText) -> LocalizedText {
        switch self {
        case .badName: .admin(.problemClaimName)
        case .badAttribute: .admin(.problemClaimAttribute)
        case .badForm:
            .admin(
                .problemChoice,
                [
                    "member": name(.form), "choices": .verbatim(ClaimMapping.Form.list.rawValue),
                    "last": .verbatim(ClaimMapping.Form.text.rawValue),
                ])
        case .valuesOfAttribute:
            .admin(.problemClaimValuesOfAttribute, ["member": name(.values), "other": name(.from)])
        case .reservedName(let claim): .admin(.problemClaimReserved, ["claim": .typed(claim)])
        case .badSource(let text): .admin(.problemClaimSource, ["member": name(.from), "text": .typed(text)])
        case .badValue(let text): .admin(.problemClaimValue, ["member": name(.values), "text": .typed(text)])
        case .badScope(let text): .admin(.problemClaimScope, ["member": name(.scope), "text": .typed(text)])
        }
    }
}

extension ClaimRegistry.DeclarationError: CustomStringConvertible {
    package var description: String { shown { .verbatim("--\($0.rawValue)") }.english }

    /// The sentence on a page.
    var shown: LocalizedText { shown { .admin($0.label) } }

    private func shown(naming name: (ClaimDraft.Field) -> LocalizedText) -> LocalizedText {
        switch self {
        case .taken(let claim): .admin(.problemClaimTaken, ["claim": .verbatim(claim.rawValue)])
        case .scopeNeeded(let claim):
            .admin(.problemClaimScopeNeeded, ["member": name(.scope), "claim": .verbatim(claim.rawValue)])
        case .tooMany: .admin(.problemTooManyClaims, ["most": .verbatim("\(ClaimMapping.most)")])
        case .values:
            .admin(
                .problemClaimValues,
                [
                    "most": .verbatim("\(ClaimMapping.mostValues)"),
                    "longest": .verbatim("\(ClaimMapping.longestValue)"),
                ])
        case .noGroup(let group): .admin(.problemClaimGroup, ["group": .verbatim(group.rawValue)])
        }
    }
}
