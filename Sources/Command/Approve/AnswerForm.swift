internal import Countersign
internal import CountersignApprover

/// The answers that a person may type to a request, with the words that ask for one.
enum AnswerForm {
    /// Yes or no.
    case decision
    /// The number that is shown where they started, or no.
    case number
    /// Only no.
    case denial

    /// The form of the answers to a request; a one-time password takes none.
    init(of request: WaitingRequest) {
        self =
            switch request.step {
            case .decide, .typeThere: .decision
            case .matchNumber: .number
            case .denyOnly: .denial
            }
    }

    /// The name in lines of JSON.
    var word: String {
        switch self {
        case .decision: "decision"
        case .number: "number"
        case .denial: "denial"
        }
    }

    /// The question, before the place where the person types.
    var prompt: String {
        switch self {
        case .decision: "Approve? [y/n] "
        case .number: "The \(VerificationNumber.words), or n: "
        case .denial: "Deny? [n, or an empty line] "
        }
    }

    /// The answer to what is no answer.
    var reminder: String {
        switch self {
        case .decision: "Please type yes or no."
        case .number: "Please type the \(VerificationNumber.words), or n."
        case .denial: "Please type n to deny, or an empty line; it can't be approved here."
        }
    }
}

extension RequestAnswer {
    /// The answer that a person typed, in lower case; `nil` when it is none of the answers of the form.
    init?(typed: String, in form: AnswerForm) {
        switch (typed, form) {
        case ("n", _), ("no", _): self = .deny
        case ("y", .decision), ("yes", .decision): self = .approve()
        case (_, .number) where TypedText.digits(typed)?.utf8.count == VerificationNumber.length:
            self = .approve(number: typed)
        default: return nil
        }
    }
}
