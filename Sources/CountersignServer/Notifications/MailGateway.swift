public import FoundationEssentialsCompat

/// Sends mails.
///
/// A call must end within ``DeliveryTimes/longestMailCall``. A repeated mail has the same identifier, and is the same
/// mail byte by byte.
public protocol MailGateway: Sendable {
    /// Sends a mail, once.
    ///
    /// - Parameter mail: The mail, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt. A mail without an answer is repeated: it costs nothing, and a receiver
    ///   knows a repetition by its `Message-ID`.
    func send(_ mail: Mail) async -> DeliveryOutcome
}

/// A mail to send, in the language of its receiver.
public struct Mail: Sendable, Equatable {
    /// The identifier, the same in every attempt.
    public let id: Delivery.ID
    /// The receiver.
    public let to: Mailbox
    /// The subject, the two forms of the words, and their language.
    public let content: Content
    /// The time of its creation.
    public let made: Date
    /// The expiry of the mail.
    public let expires: Date

    /// The words of a mail, which may contain a code or a link.
    public struct Content: Sendable, Equatable, Redacted {
        /// The subject, without a secret.
        public let subject: String
        /// The words as plain text, with `\n` between the lines.
        public let text: String
        /// The same words as an HTML document.
        public let html: String
        /// The tag of their language (RFC 5646).
        public let language: String

        /// Creates a content.
        public init(subject: String, text: String, html: String, language: String) {
            self.subject = subject
            self.text = text
            self.html = html
            self.language = language
        }
    }

    /// Creates a mail.
    public init(id: Delivery.ID, to: Mailbox, _ content: Content, made: Date, expires: Date) {
        self.id = id
        self.to = to
        self.content = content
        self.made = made
        self.expires = expires
    }
}

/// The sender or the receiver of a mail.
///
/// Standard: RFC 5322 §3.4 (`mailbox`).
public struct Mailbox: Sendable, Equatable {
    /// The address.
    public let address: EmailAddress
    /// The name for people, in one line and of at most 100 characters; `nil` for none.
    public let name: String?

    /// Creates a mailbox.
    ///
    /// Line breaks and other control characters of the name become spaces, so that none begins a field of its own.
    public init(_ address: EmailAddress, name: String? = nil) {
        self.address = address
        let shown = name.map { TypedText.trimmed(String(HeaderText.singleLine($0).prefix(100))) }
        self.name = shown == "" ? nil : shown
    }

    /// The mailbox in one line, as the interfaces of gateways take it, in which a name may have any letters.
    package var text: String {
        guard let name else { return address.rawValue }
        return "\(HeaderText.quoted(name)) <\(address.rawValue)>"
    }
}
