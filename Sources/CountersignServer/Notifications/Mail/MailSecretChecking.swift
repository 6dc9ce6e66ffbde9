internal import FoundationEssentialsCompat

/// Tells whether the links and codes of queued mails still work.
protocol MailSecretChecking: Sendable {
    /// Whether the link or code of a mail still works. One that was used, replaced or ended while the mail waited is not
    /// sent.
    ///
    /// - Parameters:
    ///   - secret: The link and code.
    ///   - message: The mail.
    ///   - now: The current time.
    ///   - keys: The keys of the server.
    ///   - repositories: The repositories of a read.
    func isLive(
        _ secret: MailSecret, in message: MailMessage, at now: Date, under keys: Keys, by repositories: any Repositories
    ) throws -> Bool
}
