package import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The facts that apps learn of a person, as an operator changes them, not validated yet: as text, from a form or from
/// options. One that is `nil` stays as it is; an empty text takes it away.
package struct PersonDraft: Sendable, Equatable {
    package var name: String?
    package var email: String?
    /// Whether the operator knows that the address is the person's. Otherwise another one is not verified.
    package var vouchesForEmail = false
    package var locale: String?
    package var zoneInfo: String?
    /// Attributes as `name=value`; without a value they are taken away.
    package var attributes: [String] = []

    /// A draft that changes nothing.
    package init() {}

    /// Applies the draft to a person.
    ///
    /// - Throws: ``PersonDraftError`` with the first thing that does not go.
    package func apply(to person: inout Person) throws(PersonDraftError) {
        if let name { person.name = try Self.name(name) }
        if let email {
            person.changeEmail(
                to: email.isEmpty ? nil : try Self.email(email).rawValue, isVerified: vouchesForEmail ? true : nil)
        }
        if let locale {
            guard locale.isEmpty || locale.isPlainName(upTo: 35, with: "-") else { throw .badLocale(locale) }
            person.profile.locale = locale.isEmpty ? nil : locale
        }
        if let zoneInfo {
            guard zoneInfo.isEmpty || TimeZone(named: zoneInfo) != nil else { throw .badZone(zoneInfo) }
            person.profile.zoneInfo = zoneInfo.isEmpty ? nil : zoneInfo
        }
        for text in attributes {
            let (name, value) = try Self.attribute(text)
            person.profile.attributes[name] = value.isEmpty ? nil : value
        }
        guard person.profile.attributes.count <= PersonProfile.mostAttributes else { throw .tooManyAttributes }
    }

    /// The name that people see.
    package static func name(_ text: String) throws(PersonDraftError) -> String {
        guard let shown = DisplayName(parsing: text) else { throw .badName }
        return shown.text
    }

    /// An e-mail address.
    package static func email(_ text: String) throws(PersonDraftError) -> EmailAddress {
        guard let address = EmailAddress(parsing: text) else { throw .badEmail(text) }
        return address
    }

    private static func attribute(_ text: String) throws(PersonDraftError) -> (AttributeName, String) {
        guard let named = NamedValue(parsing: text), let name = AttributeName(parsing: named.name),
            named.value.isLine(of: 0...PersonProfile.longestValue)
        else { throw .badAttribute(text) }
        return (name, named.value)
    }
}

// A draft in the form of a page.
extension PersonDraft {
    /// A field of the form, named as the option of the command. `--email` of the command vouches for the address.
    enum Field: String, Sendable, CaseIterable {
        case name, email
        case vouchesForEmail = "vouched"
        case locale
        case zoneInfo = "zoneinfo"
        case attributes = "attribute"

        var label: TextKey.Admin {
            switch self {
            case .name: .name
            case .email: .email
            case .vouchesForEmail: .memberEmailStanding
            case .locale: .memberLocale
            case .zoneInfo: .memberZone
            case .attributes: .memberAttributes
            }
        }
    }

    /// The current facts about a person.
    init(of person: Person) {
        (name, email) = (person.name, person.email ?? "")
        (locale, zoneInfo) = (person.profile.locale ?? "", person.profile.zoneInfo ?? "")
        attributes = person.profile.attributes.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// The facts in a form, which has all of them: one without text is empty.
    init(_ form: Form) {
        func line(_ field: Field) -> String { TypedText.trimmed(form[field.rawValue] ?? "") }
        (name, email, locale, zoneInfo) = (line(.name), line(.email), line(.locale), line(.zoneInfo))
        vouchesForEmail = form[Field.vouchesForEmail.rawValue] == Self.vouched
        attributes = TypedText.lines(form[Field.attributes.rawValue] ?? "").sorted()
    }

    /// The facts of a whole form that a person has otherwise, so that it changes what was changed in it.
    func changing(_ person: Person) -> PersonDraft {
        let current = PersonDraft(of: person)
        var changes = self
        if name == current.name { changes.name = nil }
        if email == current.email, !vouchesForEmail || person.isEmailVerified { changes.email = nil }
        if locale == current.locale { changes.locale = nil }
        if zoneInfo == current.zoneInfo { changes.zoneInfo = nil }
        let named = Set(attributes.compactMap { $0.split(separator: "=").first.map { String($0) } })
        let removed = person.profile.attributes.keys.map(\.rawValue).filter { !named.contains($0) }.sorted()
        changes.attributes = attributes.filter { !current.attributes.contains($0) } + removed.map { "\($0)=" }
        return changes
    }

    /// The choice of an operator who knows that an address is the person's.
    private static let vouched = "yes"

    /// The fields of a form with all facts.
    var fields: [AdminField] {
        Field.allCases.map { field in
            switch field {
            case .name: return AdminField(field.rawValue, field.label, value: name ?? "")
            case .email: return AdminField(field.rawValue, field.label, value: email ?? "")
            case .vouchesForEmail:
                return AdminField(
                    field.rawValue, field.label,
                    [
                        AdminChoice(
                            choiceValue: "", choiceTitle: .admin(.emailNotVouched), choiceIsSelected: !vouchesForEmail),
                        AdminChoice(
                            choiceValue: Self.vouched, choiceTitle: .admin(.emailVouched),
                            choiceIsSelected: vouchesForEmail),
                    ])
            case .locale: return AdminField(field.rawValue, field.label, value: locale ?? "")
            case .zoneInfo: return AdminField(field.rawValue, field.label, value: zoneInfo ?? "")
            case .attributes:
                var lines = AdminField(
                    field.rawValue, field.label, value: attributes.joined(separator: "\n"), hint: .memberAttributesHint)
                lines.fieldRows = 3
                return lines
            }
        }
    }
}
