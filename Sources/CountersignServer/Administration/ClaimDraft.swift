internal import Countersign
internal import CountersignWire

/// An operator's declaration of a claim, not validated yet: as text, from a form or from options.
package struct ClaimDraft: Sendable, Equatable {
    /// A field of the form, named as the argument or option of the command.
    package enum Field: String, Sendable, CaseIterable {
        case claim, from
        case values = "value"
        case form = "as"
        case scope
    }

    package var claim: String
    /// `groups`, or `attribute:` with the name of an attribute.
    package var from: String
    /// The values for groups, as `group=value`.
    package var values: [String]
    /// `list` or `text`; empty for the usual one of the source.
    package var form: String
    /// The scope value that gives it; empty for the usual one of the source.
    package var scope: String

    package init(
        claim: String = "", from: String = "groups", values: [String] = [], form: String = "", scope: String = ""
    ) {
        self.claim = claim
        self.from = from
        self.values = values
        self.form = form
        self.scope = scope
    }

    /// A draft that was read.
    package struct Declaration: Sendable {
        let claim: ClaimName
        let source: ClaimMapping.Source
        let form: ClaimMapping.Form?
        let scope: ScopeWord?
    }

    /// Reads the draft.
    ///
    /// - Throws: ``ClaimDraftError`` with the first thing that does not go.
    package func declaration() throws(ClaimDraftError) -> Declaration {
        Declaration(claim: try name, source: try source, form: try parsedForm, scope: try parsedScope)
    }

    private var name: ClaimName {
        get throws(ClaimDraftError) {
            do throws(ClaimName.ParsingError) {
                return try ClaimName(parsing: claim)
            } catch {
                switch error {
                case .form: throw .badName
                case .reserved: throw .reservedName(claim)
                }
            }
        }
    }

    private var source: ClaimMapping.Source {
        get throws(ClaimDraftError) {
            if from.hasPrefix(ClaimMapping.attributePrefix) {
                guard values.isEmpty else { throw .valuesOfAttribute }
                let text = String(from.dropFirst(ClaimMapping.attributePrefix.count))
                guard let name = AttributeName(parsing: text) else { throw .badAttribute }
                return .attribute(name)
            }
            guard from == ClaimMapping.groupsSource else { throw .badSource(from) }
            var read: [ClaimMapping.GroupValue] = []
            for text in values {
                guard let named = NamedValue(parsing: text), let group = GroupName(parsing: named.name) else {
                    throw .badValue(text)
                }
                read.append(ClaimMapping.GroupValue(group, named.value))
            }
            return .groups(read)
        }
    }

    private var parsedForm: ClaimMapping.Form? {
        get throws(ClaimDraftError) {
            guard !form.isEmpty else { return nil }
            guard let known = ClaimMapping.Form(rawValue: form) else { throw .badForm }
            return known
        }
    }

    private var parsedScope: ScopeWord? {
        get throws(ClaimDraftError) {
            guard !scope.isEmpty else { return nil }
            guard let word = ScopeWord(parsing: scope) else { throw .badScope(scope) }
            return word
        }
    }
}

/// A declared claim, in the words of a draft.
extension ClaimMapping {
    fileprivate static let groupsSource = "groups"
    fileprivate static let attributePrefix = "attribute:"

    /// The source of its values.
    package var sourceText: String {
        switch source {
        case .groups: Self.groupsSource
        case .attribute(let name): "\(Self.attributePrefix)\(name)"
        }
    }

    /// The values for groups; empty for an attribute, and for the names of all groups.
    package var valueTexts: [String] {
        guard case .groups(let values) = source else { return [] }
        return values.map { "\($0.group)=\($0.value)" }
    }
}

/// A draft in the form of a page.
extension ClaimDraft {
    init(_ submitted: Form) {
        func line(_ field: Field) -> String { TypedText.trimmed(submitted[field.rawValue] ?? "") }
        self.init(
            claim: line(.claim), from: line(.from), values: TypedText.lines(submitted[Field.values.rawValue] ?? ""),
            form: line(.form), scope: line(.scope))
    }

    var fields: [AdminField] {
        Field.allCases.map { field in
            switch field {
            case .claim: return AdminField(field.rawValue, field.label, value: claim)
            case .from: return AdminField(field.rawValue, field.label, value: from, hint: .claimSourceHint)
            case .values:
                var lines = AdminField(
                    field.rawValue, field.label, value: values.joined(separator: "\n"), hint: .claimValuesHint)
                lines.fieldRows = 3
                return lines
            case .form:
                let usual = AdminChoice(choiceValue: "", choiceTitle: .admin(.claimFormUsual))
                return AdminField(
                    field.rawValue, field.label,
                    [usual]
                        + ClaimMapping.Form.allCases.map { known in
                            AdminChoice(
                                choiceValue: known.rawValue, choiceTitle: .verbatim(known.rawValue),
                                choiceIsSelected: known.rawValue == form)
                        })
            case .scope: return AdminField(field.rawValue, field.label, value: scope, hint: .claimScopeHint)
            }
        }
    }
}

extension ClaimDraft.Field {
    var label: TextKey.Admin {
        switch self {
        case .claim: .claim
        case .from: .claimSource
        case .values: .claimValues
        case .form: .claimForm
        case .scope: .scope
        }
    }
}
