internal import Countersign
package import FoundationEssentialsCompat

/// The part of a link that only its reader knows: 256 random bits.
package struct ActionLinkSecret: Secret {
    package let revealed: String
    package init(revealing text: String) { revealed = text }

    /// The longest text that is read, in bytes.
    private static let longest = 2048

    /// Reads a secret, or the whole address of the link, as a person pasted it; `nil` for other text.
    init?(pasted text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let pasted = TypedText.trimmed(text)
        let secret = pasted.lastIndex(of: "#").map { String(pasted[pasted.index(after: $0)...]) } ?? pasted
        guard !secret.isEmpty else { return nil }
        revealed = secret
    }

    /// The address of the page for the link. The secret stands behind `#`, so that no browser sends it to a server
    /// with the address, and no log and no other site gets it.
    package func address(at issuer: Issuer) -> String { "\(issuer.appending("link"))#\(revealed)" }
}

/// Makes, finds and uses links that set a password or create a person.
package struct ActionLinks {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The usual lifetime of a link that sets a password, in seconds: an hour.
    package static let resetLifetime: TimeInterval = 3600
    /// The usual lifetime of an invitation, in seconds: a week.
    package static let invitationLifetime: TimeInterval = 7 * 86_400
    /// The longest lifetime of a link, in seconds: 30 days.
    package static let longestLifetime: TimeInterval = 30 * 86_400

    /// A link is of no use.
    enum UselessLinkError: Error, Equatable {
        /// It was used.
        case used(Date)
        /// Its time is over.
        case expired
        /// There is none with its secret, a newer one replaced it, it was withdrawn, or its person is locked.
        case unknown
    }

    /// A link that can be used.
    struct OpenedLink: Sendable {
        fileprivate(set) var link: ActionLink
        /// The person whose password it sets; `nil` for an invitation.
        let person: Person?
    }

    /// Stores a new link, with an audit entry. The earlier link of its person ends, and earlier invitations of its
    /// e-mail address.
    ///
    /// - Parameters:
    ///   - link: The link, with the digest of its secret.
    ///   - actor: The party that the audit names.
    ///   - address: The network address of that party; `nil`, the default, when it is not noted.
    ///   - note: Further facts for the audit; `nil`, the default, for none.
    package func add(
        _ link: ActionLink, by actor: AuditActor, from address: String? = nil, noting note: String? = nil
    ) throws {
        try repositories.actionLinks.insert(link)
        let kind: AuditAct = if case .passwordReset = link.act { .passwordResetLinkMade } else { .personInvited }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: link.created, kind, by: actor, subject: link.subject, address: address,
                detail: ["until \(link.expires.formatted(.iso8601))", note].compactMap(\.self).joined(separator: "; ")))
    }

    /// Finds the link with a secret, and uses nothing up.
    ///
    /// - Throws: ``UselessLinkError``.
    func open(_ secret: ActionLinkSecret, at now: Date) throws -> OpenedLink {
        guard let link = try repositories.actionLinks.find(secret.digest) else { throw UselessLinkError.unknown }
        if let used = link.used { throw UselessLinkError.used(used) }
        guard now < link.expires else { throw UselessLinkError.expired }
        switch link.act {
        case .invitation: return OpenedLink(link: link, person: nil)
        case .passwordReset:
            guard let person = try repositories.people.find(link.subject), person.isActive else {
                throw UselessLinkError.unknown
            }
            return OpenedLink(link: link, person: person)
        }
    }

    /// Uses a link up, in the change that does what it permits.
    ///
    /// - Throws: ``UselessLinkError``, also when another change used it since.
    func use(_ secret: ActionLinkSecret, at now: Date) throws -> OpenedLink {
        var opened = try open(secret, at: now)
        opened.link.used = now
        try repositories.actionLinks.update(opened.link)
        return opened
    }
}
