internal import HTTPTypes

/// The page for one's own e-mail address.
struct EmailView: Page {
    static let template = PageTemplate.email

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The address of the account; `nil` for none.
    let current: String?
    let isVerified: Bool
    /// The address that a code was sent to; `nil` for none.
    let pending: String?
    /// The form field `code`, as the link of the mail has it.
    let code: String
    /// The form field `address`.
    let typed: String
    /// The problem of the last attempt.
    let problem: LocalizedText?
    /// Whether that was the code, or the address.
    let isCodeWrong, isAddressWrong: Bool

    var title: LocalizedText { .title(.text(.emailTitle), with: problem) }

    /// The problem of an attempt.
    enum Problem: Sendable, Equatable {
        case malformed
        case wrongCode
        /// A code or link that was used, is too old, or was mistyped too often.
        case expired
        /// Another mail is sent only after these seconds.
        case limited(seconds: Int)

        /// The status of the answer.
        var status: HTTPResponse.Status {
            if case .limited = self { .tooManyRequests } else { .unprocessableContent }
        }

        fileprivate var words: LocalizedText {
            switch self {
            case .malformed: .text(.emailMalformed)
            case .wrongCode: .text(.emailWrong)
            case .expired: .text(.emailExpired)
            case .limited(let seconds): .text(.emailWait, ["wait": TimeDisplay.span(Double(seconds))])
            }
        }
    }

    init(
        personName: String, formToken: String, of person: (email: String?, isVerified: Bool), pending: String? = nil,
        typed: (code: String, address: String) = ("", ""), refusing refusal: Problem? = nil
    ) {
        self.personName = personName
        self.formToken = formToken
        current = person.email
        isVerified = person.isVerified
        self.pending = pending
        (code, self.typed) = typed
        problem = refusal?.words
        isCodeWrong = refusal == .wrongCode
        isAddressWrong = refusal == .malformed
    }
}
