internal import FoundationEssentialsCompat

/// Queues mails, each in the change that causes it; ``DeliveryService`` sends them.
///
/// It counts nothing: ``MessageBudget/spend(on:from:in:)`` limits mails that strangers can cause.
struct MailQueue {
    private let repositories: any Repositories
    private let mint: CodeMint
    private let now: Date

    init(_ repositories: any Repositories, by mint: CodeMint, at now: Date) {
        self.repositories = repositories
        self.mint = mint
        self.now = now
    }

    /// Queues a mail with a code or link.
    ///
    /// - Parameters:
    ///   - message: The mail.
    ///   - secret: Its code and link, which are sealed in the store until the mail was sent or given up.
    ///   - expires: The expiry of the code and the link, which the mail states; it is not sent afterwards.
    ///   - keys: The keys of the server.
    /// - Throws: An error of the seal, which does not happen with a key in memory; `StoreError`.
    func send(_ message: MailMessage, _ secret: MailSecret, until expires: Date, sealedBy keys: Keys) throws {
        try repositories.deliveries.insert(
            .mail(message, secret, id: mint.identifier(), made: now, expires: expires, sealedBy: keys))
    }

    /// Queues a mail without a secret, which is sent within a day.
    func send(_ message: MailMessage) throws {
        try repositories.deliveries.insert(
            Delivery(id: mint.identifier(), .mail(message, nil), made: now, expires: now + Self.noticeLifetime))
    }

    /// The time for sending a notice, in seconds.
    private static let noticeLifetime: TimeInterval = 86_400
}
