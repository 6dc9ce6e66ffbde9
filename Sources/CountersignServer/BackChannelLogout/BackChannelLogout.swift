public import Countersign
public import CountersignWire
public import Foundation

/// Where a client wants to be told that a person's session at this server has ended.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.2.
public struct BackChannelLogout: Sendable, Equatable, Codable {
    /// The address at which the client takes logout tokens.
    public var uri: String
    /// Whether the client needs the session in each of them. All have it.
    public var requiresSession: Bool

    /// Creates a registration.
    ///
    /// - Parameters:
    ///   - uri: The address at which the client takes logout tokens; ``objection(to:isSelfRegistered:)`` says whether it
    ///     can be registered.
    ///   - requiresSession: Whether the client needs the session in each of them; not by default.
    public init(uri: String, requiresSession: Bool = false) {
        self.uri = uri
        self.requiresSession = requiresSession
    }

    enum CodingKeys: String, CodingKey {
        case uri = "backchannel_logout_uri"
        case requiresSession = "backchannel_logout_session_required"
    }

    /// Why an address cannot be registered, in words for the party that wants to; `nil` when it can.
    ///
    /// The server itself sends requests there. So a client that registers itself may name `https` and a name of the
    /// public domain name system only: no address of this machine, no number, no name without a dot. Whoever answers
    /// there proves that name by a certificate before anything is sent.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - isSelfRegistered: Whether the client registers itself; an operator may also name this machine.
    package static func objection(to text: String, isSelfRegistered: Bool) -> String? {
        if let objection = RedirectURIRules.objection(to: text) { return objection }
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), (try? Endpoint(text)) != nil else {
            return "The server calls an https address, or http on this machine."
        }
        guard isSelfRegistered else { return nil }
        guard text.hasPrefix("https://"), let endpoint = try? Endpoint(text), endpoint.url.port ?? 443 == 443 else {
            return "The server calls an https address at the usual port."
        }
        let host = text.dropFirst("https://".count).prefix { !"/?:".contains($0) }.lowercased()
        let labels = host.split(separator: ".")
        guard labels.count > 1, let last = labels.last, last.allSatisfy(\.isLetter) || last.hasPrefix("xn--"),
            ![
                "localhost", "local", "internal", "lan", "home", "arpa", "test", "corp", "intranet", "private",
                "localdomain",
            ].contains(last)
        else { return "The server calls a public name only." }
        return nil
    }
}

/// A session that has ended, of which a client has still to be told.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.5.
public struct LogoutNotice: Sendable, Equatable {
    /// The session as the client knows it.
    public let session: SessionID
    /// The client to tell.
    public let client: ClientID
    /// The person whose session it was.
    public let subject: Subject
    /// When the session ended.
    public var ended: Date
    /// How often the client was called.
    public var attempts: Int
    /// When the client is to be called next.
    public var due: Date

    /// Creates a notice to store.
    ///
    /// - Parameters:
    ///   - session: The session as the client knows it.
    ///   - client: The client to tell.
    ///   - subject: The person whose session it was.
    ///   - ended: When the session ended.
    ///   - attempts: How often the client was called; not yet, by default.
    ///   - due: When the client is to be called next.
    public init(session: SessionID, client: ClientID, subject: Subject, ended: Date, attempts: Int = 0, due: Date) {
        self.session = session
        self.client = client
        self.subject = subject
        self.ended = ended
        self.attempts = attempts
        self.due = due
    }
}
