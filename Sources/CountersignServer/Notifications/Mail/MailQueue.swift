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
        let id: Delivery.ID = mint.identifier()
        let sealed = SealedText(restoring: try keys.seal.sealed(secret.bytes, for: .message(id)))
        try repositories.deliveries.insert(Delivery(id: id, .mail(message, sealed), made: now, expires: expires))
    }

    /// Queues a mail without a secret, which is sent within a day.
    func send(_ message: MailMessage) throws {
        try repositories.deliveries.insert(
            Delivery(id: mint.identifier(), .mail(message, nil), made: now, expires: now + Self.noticeLifetime))
    }

    /// The time for sending a notice, in seconds.
    private static let noticeLifetime: TimeInterval = 86_400
}

extension MailSecret {
    private struct Stored: Codable {
        let link: String?
        let code: String?
    }

    /// The form under the seal.
    fileprivate var bytes: [UInt8] {
        (try? JSONEncoder.wire.encode(Stored(link: link, code: code))).map(Array.init) ?? []
    }

    /// Reads the opened bytes of a seal.
    init?(_ bytes: [UInt8]) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else { return nil }
        self.init(link: stored.link, code: stored.code)
    }
}
