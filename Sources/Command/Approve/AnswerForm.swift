internal import Countersign
internal import CountersignApprover

/// The answers that a person may type to a request, with the words that ask for one.
enum AnswerForm {
    /// Yes or no.
    case decision
    /// The number that is shown where they started, or no.
    case number
    /// Yes or no, or the number, which the screen does not need because it is nearby.
    case decisionOrNumber
    /// Only no.
    case denial

    /// The form of the answers to a request; a one-time password takes none.
    init(of request: WaitingRequest) {
        self =
            switch request.step {
            case .decide where request.takesNumber: .decisionOrNumber
            case .decide, .typeThere: .decision
            case .matchNumber: .number
            case .denyOnly: .denial
            }
    }

    /// Whether a yes is an answer.
    var takesYes: Bool {
        switch self {
        case .decision, .decisionOrNumber: true
        case .number, .denial: false
        }
    }

    /// The name in lines of JSON.
    var word: String {
        switch self {
        case .decision: "decision"
        case .number: "number"
        case .decisionOrNumber: "decision_or_number"
        case .denial: "denial"
        }
    }

    /// The question, before the place where the person types.
    var prompt: String {
        switch self {
        case .decision: "Approve? [y/n] "
        case .number: "The \(VerificationNumber.words), or n: "
        case .decisionOrNumber: "Approve? [y/n, or the \(VerificationNumber.words)] "
        case .denial: "Deny? [n, or an empty line] "
        }
    }

    /// The person's step now that the form has changed, without a full stop.
    var consequence: String {
        switch self {
        case .decision: "you can approve it here"
        case .number: "to approve, type the \(VerificationNumber.words)"
        case .decisionOrNumber: "y approves it, and a number that you type counts, too"
        case .denial: "here you can only deny"
        }
    }

    /// The answer to what is no answer.
    var reminder: String {
        switch self {
        case .decision: "Please type yes or no."
        case .number: "Please type the \(VerificationNumber.words), or n."
        case .decisionOrNumber: "Please type yes or no, or the \(VerificationNumber.words)."
        case .denial: "Please type n to deny, or an empty line; it can't be approved here."
        }
    }
}

extension RequestAnswer {
    /// The answer that a person typed, in lower case; `nil` when it is none of the answers of the form.
    init?(typed: String, in form: AnswerForm) {
        switch (typed, form) {
        case ("n", _), ("no", _): self = .deny
        case ("y", .decision), ("yes", .decision), ("y", .decisionOrNumber), ("yes", .decisionOrNumber):
            self = .approve()
        case (_, .number), (_, .decisionOrNumber):
            guard TypedText.digits(typed)?.utf8.count == VerificationNumber.length else { return nil }
            self = .approve(number: typed)
        default: return nil
        }
    }
}
