/// The input of an operator about a person is invalid; its description names the options of the command.
package enum PersonDraftError: Error, Sendable, Equatable, CustomStringConvertible {
    case badName
    case badEmail(String)
    case badLocale(String)
    case badZone(String)
    case badAttribute(String)
    case tooManyAttributes

    package var description: String { shown { .verbatim("--\($0.rawValue)") }.english }

    /// The sentence on a page.
    var shown: LocalizedText { shown { .admin($0.label) } }

    private func shown(naming name: (PersonDraft.Field) -> LocalizedText) -> LocalizedText {
        switch self {
        case .badName:
            .admin(.problemPersonName, ["member": name(.name), "most": .verbatim("\(DisplayName.longest)")])
        case .badEmail(let text): .admin(.problemPersonEmail, ["text": .typed(text)])
        case .badLocale(let text):
            .admin(.problemPersonLocale, ["member": name(.locale), "text": .typed(text)])
        case .badZone(let text): .admin(.problemPersonZone, ["member": name(.zoneInfo), "text": .typed(text)])
        case .badAttribute(let text):
            .admin(.problemPersonAttribute, ["member": name(.attributes), "text": .typed(text)])
        case .tooManyAttributes:
            .admin(.problemPersonAttributes, ["most": .verbatim("\(PersonProfile.mostAttributes)")])
        }
    }
}
