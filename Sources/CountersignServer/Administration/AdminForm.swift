internal import CountersignWire
internal import FoundationEssentialsCompat

/// A form on a page of administrators, which does one act.
struct AdminForm: Sendable, Equatable {
    let formAddress: String
    let formButton: LocalizedText
    let formHidden: [AdminHiddenField]
    var formFields: [AdminField] = []

    /// - Parameters:
    ///   - button: The text of its button.
    ///   - address: The address that it is sent to.
    ///   - hidden: The values of fields that are not shown.
    init(
        _ button: LocalizedText, to address: String, hidden: KeyValuePairs<String, String> = [:],
        _ fields: [AdminField] = []
    ) {
        formButton = button
        formAddress = address
        formHidden = hidden.map { AdminHiddenField(hiddenName: $0.key, hiddenValue: $0.value) }
        formFields = fields
    }
}

/// A field that is not shown.
struct AdminHiddenField: Sendable, Equatable {
    let hiddenName: String
    let hiddenValue: String
}

/// The form that searches a list, or filters it.
struct AdminSearch: Sendable, Equatable {
    let searchAddress: String
    let searchButton: LocalizedText
    let searchFields: [AdminField]
}

/// A field of a form.
struct AdminField: Sendable, Equatable {
    /// The identifier of the field on the page.
    let fieldID: String
    let fieldName: String
    let fieldLabel: LocalizedText
    var fieldValue = ""
    var fieldHint: LocalizedText?
    /// The height of a field for several lines; `nil` for a field of one line.
    var fieldRows: Int?
    /// The choices; empty for a field to type in.
    var fieldChoices: [AdminChoice] = []

    /// A field to type in.
    init(_ name: String, _ label: TextKey.Admin, value: String = "", hint: TextKey.Admin? = nil) {
        fieldID = name
        fieldName = name
        fieldLabel = .admin(label)
        fieldValue = value
        fieldHint = hint.map { .admin($0) }
    }

    /// A field with choices.
    init(_ name: String, _ label: TextKey.Admin, _ choices: [AdminChoice]) {
        self.init(name, label)
        fieldChoices = choices
    }
}

/// A choice of a field.
struct AdminChoice: Sendable, Equatable {
    let choiceValue: String
    let choiceTitle: LocalizedText
    var choiceIsSelected = false
}

/// The address of a page of administrators with its query.
enum AdminAddress {
    /// - Parameters:
    ///   - path: The path below the issuer.
    ///   - query: The members of the query; one that is `nil` or empty is left out.
    static func of(_ path: String, _ query: KeyValuePairs<String, String?>) -> String {
        var form = Form()
        for (name, value) in query where value?.isEmpty == false { form[name] = value }
        let encoded = form.encoded
        return encoded.isEmpty ? path : "\(path)?\(encoded)"
    }

    /// An instant in a query, of the same precision as it is stored in.
    static func text(of instant: Date) -> String { "\(instant.timeIntervalSinceReferenceDate)" }

    /// The instant in a query; `nil` for other text.
    static func instant(_ text: String?) -> Date? {
        guard let seconds = text.flatMap({ Double($0) }), seconds.isFinite else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The address of the list of a noun after an act, whose name chooses the notice.
    static func list(of noun: AdminNoun, after act: String) -> String { of(noun.path, ["done": act]) }
}
