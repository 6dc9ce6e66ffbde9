internal import FoundationEssentialsCompat

/// Makes the words of mails, in the languages and with the brand of the pages.
protocol MailRendering: Sendable {
    /// The language of messages to people whose own is unknown.
    var language: PageLanguage { get }

    /// The words of a mail.
    ///
    /// - Parameters:
    ///   - message: The mail.
    ///   - secret: Its code and link; `nil` for a mail without.
    ///   - lifetime: The time from its creation to its expiry, in seconds, which is that of its code and link.
    func content(of message: MailMessage, _ secret: MailSecret?, lifetime: TimeInterval) -> Mail.Content
}
