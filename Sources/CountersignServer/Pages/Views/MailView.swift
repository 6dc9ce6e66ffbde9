/// The words of a mail.
struct MailView: Page {
    static let template = PageTemplate.mail

    let title, text: LocalizedText
    /// The code to type; `nil` for none.
    let code: String?
    /// The address of a page; `nil` for none.
    let link: String?
    let button: LocalizedText
    /// The time for which the code and the link work; `nil` for a notice.
    let expiry: LocalizedText?
    let care, footer: LocalizedText

    /// Creates the words.
    ///
    /// - Parameters:
    ///   - kind: The kind of the mail.
    ///   - secret: The code and the link.
    ///   - span: The time for which they work; `nil` for a notice.
    ///   - values: The values of the names in the texts.
    init(
        _ kind: MailMessage.Kind, _ secret: MailSecret, expiring span: LocalizedText?, values: [String: LocalizedText]
    ) {
        let keys = Keys(kind)
        title = .text(keys.subject, values)
        text = .text(keys.text, values)
        code = secret.code
        link = secret.link
        button = .text(keys.button, values)
        expiry = span.map { .text(secret.code == nil ? .mailExpiry : .mailExpiryOfBoth, ["span": $0]) }
        care = .text(keys.care, values)
        footer = .text(.mailFooter, values)
    }

    /// The same words as plain text, with empty lines between the paragraphs.
    func plainText(in table: TextTable) -> String {
        let button = button.words(in: table)
        let paragraphs = [
            text.words(in: table), code, link.map { "\(button):\n\($0)" }, expiry?.words(in: table),
            care.words(in: table), "-- \n\(footer.words(in: table))",
        ]
        return paragraphs.compactMap { $0.map { $0.filter { $0 != "\u{2068}" && $0 != "\u{2069}" } } }
            .joined(separator: "\n\n") + "\n"
    }

    private struct Keys {
        let subject, text, button, care: TextKey

        init(_ kind: MailMessage.Kind) {
            switch kind {
            case .addressVerification:
                (subject, text) = (.mailAddressVerificationSubject, .mailAddressVerificationText)
                (button, care) = (.mailAddressVerificationButton, .mailAddressVerificationCare)
            case .passwordReset:
                (subject, text) = (.mailPasswordResetSubject, .mailPasswordResetText)
                (button, care) = (.mailPasswordResetButton, .mailPasswordResetCare)
            case .invitation:
                (subject, text) = (.mailInvitationSubject, .mailInvitationText)
                (button, care) = (.mailInvitationButton, .mailInvitationCare)
            case .newDevice:
                (subject, text) = (.mailNewDeviceSubject, .mailNewDeviceText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .passwordChanged:
                (subject, text) = (.mailPasswordChangedSubject, .mailPasswordChangedText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .addressChanged:
                (subject, text) = (.mailAddressChangedSubject, .mailAddressChangedText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .passkeyRemoved:
                (subject, text) = (.mailPasskeyRemovedSubject, .mailPasskeyRemovedText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .oneTimePasswordsRemoved:
                (subject, text) = (.mailOneTimePasswordsRemovedSubject, .mailOneTimePasswordsRemovedText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .factorsRemoved:
                (subject, text) = (.mailFactorsRemovedSubject, .mailFactorsRemovedText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            case .accountRemoval:
                (subject, text) = (.mailAccountRemovalSubject, .mailAccountRemovalText)
                (button, care) = (.mailAccountRemovalButton, .mailAccountRemovalCare)
            case .accountKept:
                (subject, text) = (.mailAccountKeptSubject, .mailAccountKeptText)
                (button, care) = (.mailNoticeButton, .mailNoticeCare)
            }
        }
    }
}
