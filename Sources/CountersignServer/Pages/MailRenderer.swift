internal import FoundationEssentialsCompat

/// Makes the words of mails by the templates of the pages, with the operator's name and colour.
struct MailRenderer: MailRendering {
    let renderer: PageRenderer
    let siteName: String
    let issuer: Issuer
    let language: PageLanguage

    func content(of message: MailMessage, _ secret: MailSecret?, lifetime: TimeInterval) -> Mail.Content {
        let language = PageLanguage(ofDevice: message.language) ?? language
        var values = message.values.mapValues { LocalizedText.isolated($0) }
        values["device"] = values["device"] ?? .text(.accountAnAuthenticator)
        values["site"] = .verbatim(siteName)
        values["host"] = .verbatim(issuer.authority)
        let view = MailView(
            message.kind,
            secret ?? MailSecret(link: "\(issuer.text)/account"),
            expiring: secret.map { _ in Self.span(lifetime) },
            values: values
        )
        return Mail.Content(
            subject: view.title.words(in: .of(language)),
            text: view.plainText(in: .of(language)),
            html: renderer.html(view, in: language),
            language: language.tag
        )
    }

    /// The span in words: in days from two on, in hours from two on, otherwise in minutes.
    private static func span(_ seconds: TimeInterval) -> LocalizedText {
        let seconds = max(0, Int(min(seconds, 1e9).rounded()))
        switch seconds {
        case 172_800...: return .counted(seconds / 86_400, .days)
        case 7200...: return .counted(seconds / 3600, .hours)
        default: return TimeDisplay.span(Double(seconds))
        }
    }
}
