/// The input of an operator about a client is invalid; its description names the options of the command.
package enum ClientDraftError: Error, Sendable, Equatable, CustomStringConvertible {
    case badIdentifier, badName, badScope
    case unknownGrant(String)
    /// It takes one of a few words.
    case notOneOf(ClientMember, [String])
    /// It takes a number of seconds; the form of the tokens where the range follows from it.
    case outOfRange(ClientMember, ClosedRange<Int>, Client.TokenFormat?)
    case badDemands(ClientMember, String)
    case badOrigin(ClientMember, String)
    case badAddress(ClientMember, String, RedirectURIFault)
    /// An address that the server cannot call, with the objection in English.
    case badNotificationAddress(ClientMember, String, String)
    /// One member needs another.
    case needs(ClientMember, ClientMember)
    case needsAddress(ClientMember)
    case needsKeys, credentialsNeedSecret, resourceServerNeedsSecret

    package var description: String { shown { .verbatim("--\($0.rawValue)") }.english }

    /// The sentence on a page.
    var shown: LocalizedText { shown { .admin($0.label) } }

    private func shown(naming name: (ClientMember) -> LocalizedText) -> LocalizedText {
        switch self {
        case .badIdentifier: .admin(.problemClientIdentifier)
        case .badName: .admin(.problemClientName)
        case .badScope: .admin(.problemScope)
        case .unknownGrant(let grant):
            .admin(.problemGrant, Self.choices(ClientMember.grantNames, and: ["grant": .typed(grant)]))
        case .notOneOf(let member, let words):
            .admin(.problemChoice, Self.choices(words, and: ["member": name(member)]))
        case .outOfRange(let member, let range, let format):
            .admin(
                format == nil ? .problemRange : .problemRangeOfTokens,
                [
                    "member": name(member), "least": .verbatim("\(range.lowerBound)"),
                    "most": .verbatim("\(range.upperBound)"), "format": .verbatim(format?.rawValue ?? ""),
                ])
        case .badDemands(let member, let text):
            .admin(.problemDemands, ["member": name(member), "text": .typed(text)])
        case .badOrigin(let member, let text):
            .admin(.problemOrigin, ["member": name(member), "address": .typed(text)])
        case .badAddress(let member, let address, let fault):
            .admin(.problemAddress, ["member": name(member), "address": .typed(address), "reason": fault.shown])
        case .badNotificationAddress(let member, let address, let objection):
            .admin(
                .problemAddress,
                ["member": name(member), "address": .typed(address), "reason": .verbatim(objection)])
        case .needs(let member, let other): .admin(.problemNeeds, ["member": name(member), "other": name(other)])
        case .needsAddress(let member): .admin(.problemNeedsAddress, ["member": name(member)])
        case .needsKeys: .admin(.problemNeedsKeys)
        case .credentialsNeedSecret: .admin(.problemCredentialsSecret)
        case .resourceServerNeedsSecret: .admin(.problemServesSecret)
        }
    }

    private static func choices(
        _ words: [String], and values: [String: LocalizedText]
    ) -> [String: LocalizedText] {
        values.merging([
            "choices": .verbatim(words.dropLast().joined(separator: ", ")), "last": .verbatim(words.last ?? ""),
        ]) { value, _ in value }
    }
}
