/// The form of one service, to add or to change it.
struct DomainFormView: Page {
    static let template = PageTemplate.domainForm

    /// What the form does, as named in its address.
    enum Act: String, Sendable {
        case add, change
    }

    /// One choice for what happens at a further sign-on.
    struct Choice: Sendable, Equatable {
        let value: String
        let label: String
        let hint: String
        let isChosen: Bool
    }

    /// Who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The end of the form's address.
    let act: String
    let isNew: Bool
    let heading: String
    /// The form field `domain`; an input field only if the service is new.
    let domain: String
    let displayName: String
    let choices: [Choice]
    let group: String
    /// One per line.
    let redirectURIs: String
    /// In seconds; empty if the input was not a number.
    let tokenLifetime: String
    /// A message that the input is invalid; the other fields describe each problem.
    let problem: String?
    let domainProblem: String?
    let displayNameProblem: String?
    let signOnProblem: String?
    let groupProblem: String?
    let redirectURIsProblem: String?
    let tokenLifetimeProblem: String?

    var title: String { problem == nil ? heading : "Problem: \(heading)" }

    init(
        personName: String,
        formToken: String,
        act: Act,
        draft: DomainDraft,
        problems: [DomainDraft.Field: String] = [:]
    ) {
        self.personName = personName
        self.formToken = formToken
        self.act = act.rawValue
        isNew = act == .add
        heading = isNew ? "Add a service" : "Change a service"
        domain = draft.name
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
        problem = problems.isEmpty ? nil : "Nothing was saved. Look at what is marked below."
        domainProblem = problems[.name]
        displayNameProblem = problems[.displayName]
        signOnProblem = problems[.signOn]
        groupProblem = problems[.group]
        redirectURIsProblem = problems[.redirectURIs]
        tokenLifetimeProblem = problems[.tokenLifetime]
    }
}
