internal import Countersign

/// A time to choose for the session of a browser that asks at the sign-in page.
struct SessionTermView: Sendable {
    /// The form field `session`.
    static let field = "session"

    let termValue: String
    let termLabel: LocalizedText
    let isSuggested: Bool

    /// All times, of which the form suggests one.
    static func all(suggesting suggested: SessionTerm) -> [SessionTermView] {
        SessionTerm.allCases.map { term in
            SessionTermView(termValue: term.rawValue, termLabel: term.label, isSuggested: term == suggested)
        }
    }
}

extension SessionTerm {
    fileprivate var label: LocalizedText {
        switch self {
        case .own: .text(.confirmTermOwn)
        case .quarterHour: .text(.confirmTermOther, ["span": .counted(15, .minutes)])
        case .hour: .text(.confirmTermOther, ["span": .counted(1, .hours)])
        case .workday: .text(.confirmTermOther, ["span": .counted(8, .hours)])
        }
    }
}
