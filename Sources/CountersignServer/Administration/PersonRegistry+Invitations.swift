package import Countersign
internal import FoundationEssentialsCompat

// The invitations that were not used.
extension PersonRegistry {
    /// The invitations that can be used, the oldest first.
    ///
    /// - Parameters:
    ///   - last: The position of the last one of the page before, which may have ended; `nil` for the first page.
    ///   - limit: The maximum number.
    package func invitations(after last: ActionLink.Position?, limit: Int) async throws -> [ActionLink] {
        let now = administration.clock.now()
        return try await administration.store.read {
            try $0.actionLinks.invitations(at: now, after: last, limit: limit)
        }
    }

    /// An invitation that can be used, by the person who will be created; `nil` for none.
    func invitation(of subject: Subject) async throws -> ActionLink? {
        let now = administration.clock.now()
        return try await administration.store.read { try Self.invitation(of: subject, in: $0, at: now) }
    }

    /// Withdraws an invitation: its link stops working.
    ///
    /// - Returns: Whether there was one that could be used.
    package func withdrawInvitation(of subject: Subject) async throws -> Bool {
        let now = administration.clock.now()
        return try await administration.change(.change(.people), at: now) { [administration] repositories in
            guard let link = try Self.invitation(of: subject, in: repositories, at: now) else { return false }
            try repositories.actionLinks.removeUnused(of: subject)
            try Audit(repositories).record(
                administration.administrator.facts(
                    .invitationRemoved, on: subject, at: now, detail: link.invitedAddress?.rawValue))
            return true
        }
    }

    private static func invitation(
        of subject: Subject, in repositories: any Repositories, at now: Date
    ) throws -> ActionLink? {
        guard let link = try repositories.actionLinks.find(of: subject), case .invitation = link.act, link.used == nil,
            now < link.expires
        else { return nil }
        return link
    }
}

extension ActionLink {
    /// The e-mail address of an invitation; `nil` for one without, and for other links.
    package var invitedAddress: EmailAddress? {
        if case .invitation(let address) = act { address } else { nil }
    }
}
