/// The form of one service, to add or to change it.
struct DomainFormView: Page {
    static let template = PageTemplate.domainForm

    /// The act of the form, as named in its address.
    enum Act: String, Sendable {
        case add, change
    }

    /// One choice for what happens at a further sign-on.
    struct Choice: Sendable, Equatable {
        let value: String
        let label: LocalizedText
        let hint: LocalizedText
        let isChosen: Bool
    }

    let personName: String
    let formToken: String
    /// The end of the form's address.
    let act: String
    let isNew: Bool
    let heading: LocalizedText
    /// The form field `domain`; an input field only if the service is new.
    let domain: String
    /// Names the service in the query of an address.
    let query: String
    let displayName: String
    let choices: [Choice]
    let group: String
    /// One per line.
    let redirectURIs: String
    /// In seconds; empty if the input was not a number.
    let tokenLifetime: String
    /// The ``RecordVersion`` of the service; empty for a new one.
    var version = ""
    /// A message that the form was refused; the other fields describe each problem of the input.
    var problem: LocalizedText?
    let domainProblem: LocalizedText?
    let displayNameProblem: LocalizedText?
    let signOnProblem: LocalizedText?
    let groupProblem: LocalizedText?
    let redirectURIsProblem: LocalizedText?
    let tokenLifetimeProblem: LocalizedText?

    var title: LocalizedText { .title(heading, with: problem) }

    init(
        personName: String,
        formToken: String,
        act: Act,
        draft: DomainDraft,
        problems: [DomainDraft.Field: DomainProblem] = [:]
    ) {
        self.personName = personName
        self.formToken = formToken
        self.act = act.rawValue
        isNew = act == .add
        heading = .text(isNew ? .domainsAdd : .domainFormChangeTitle)
        domain = draft.name
        query = DomainEntry.query(naming: draft.name)
        displayName = draft.displayName
        choices = ServiceDomain.SignOn.allCases.map { signOn in
            Choice(
                value: signOn.rawValue,
                label: signOn.words.short,
                hint: signOn.words.long,
                isChosen: signOn.rawValue == draft.signOn
            )
        }
        group = draft.group
        redirectURIs = draft.redirectURIs.joined(separator: "\n")
        tokenLifetime = draft.tokenLifetime.isFinite ? "\(Int(draft.tokenLifetime))" : ""
        problem = problems.isEmpty ? nil : .text(.domainFormProblem)
        domainProblem = problems[.name]?.shown
        displayNameProblem = problems[.displayName]?.shown
        signOnProblem = problems[.signOn]?.shown
        groupProblem = problems[.group]?.shown
        redirectURIsProblem = problems[.redirectURIs]?.shown
        tokenLifetimeProblem = problems[.tokenLifetime]?.shown
    }
}
