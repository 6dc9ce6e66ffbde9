internal import HTTPTypes

/// The page for changing one's own password.
struct PasswordView: Page {
    static let template = PageTemplate.password

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The user name, for password managers.
    let username: String
    /// Whether the person has a password to change.
    let hasPassword: Bool
    /// Whether they type it here.
    let asksPassword: Bool
    /// The minimum length of the new one.
    let shortest = "\(PasswordRule.shortest)"
    /// The problem of the last attempt.
    let problem: LocalizedText?
    /// Whether that was the earlier password, or the new one.
    let isPasswordWrong, isNewPasswordWrong: Bool
    /// The choices of the sign-ins that end.
    let endings: [EndingView]

    var title: LocalizedText {
        let title = LocalizedText.text(hasPassword ? .passwordTitle : .passwordTitleFirst)
        return .title(title, with: problem)
    }

    /// The problem of an attempt.
    enum Problem: Sendable, Equatable {
        case rule(PasswordRuleError)
        /// The new password was typed in two ways.
        case different
        /// The new password is the earlier one.
        case same
        case wrongPassword

        /// The status of the answer.
        var status: HTTPResponse.Status { self == .wrongPassword ? .forbidden : .unprocessableContent }

        var words: LocalizedText {
            switch self {
            case .rule(.tooShort): .text(.passwordTooShort, ["shortest": .verbatim("\(PasswordRule.shortest)")])
            case .rule(.tooLong): .text(.passwordTooLong)
            case .rule(.common): .text(.passwordCommon)
            case .rule(.known): .text(.passwordKnown)
            case .different: .text(.passwordDifferent)
            case .same: .text(.passwordSame)
            case .wrongPassword: .text(.passwordWrong)
            }
        }
    }

    /// A choice of the sign-ins that end.
    struct EndingView: Sendable {
        /// The form field `end`.
        let value: String
        let label, hint: LocalizedText
        let isChosen: Bool
    }

    init(
        personName: String,
        formToken: String,
        username: String,
        hasPassword: Bool = true,
        asksPassword: Bool = true,
        ending: PasswordService.Ending = .browsers,
        refusing refusal: Problem? = nil
    ) {
        self.personName = personName
        self.formToken = formToken
        self.username = username
        self.hasPassword = hasPassword
        self.asksPassword = asksPassword
        problem = refusal?.words
        isPasswordWrong = refusal == .wrongPassword
        isNewPasswordWrong = refusal != nil && !isPasswordWrong
        endings = PasswordService.Ending.allCases.map { choice in
            EndingView(
                value: choice.rawValue, label: choice.label, hint: choice.hint, isChosen: choice == ending)
        }
    }
}

extension PasswordService.Ending {
    fileprivate var label: LocalizedText {
        switch self {
        case .browsers: .text(.passwordEndBrowsers)
        case .all: .text(.passwordEndAll)
        case .none: .text(.passwordEndNone)
        }
    }

    fileprivate var hint: LocalizedText {
        switch self {
        case .browsers: .text(.passwordEndBrowsersHint)
        case .all: .text(.passwordEndAllHint)
        case .none: .text(.passwordEndNoneHint)
        }
    }
}
