internal import FoundationEssentialsCompat

/// The browsers of people that are registered for push messages about requests.
struct BrowserPushes {
    /// The maximum number of registrations of a person; the oldest ones make room.
    static let most = 10

    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The registrations of a person whose sessions live, the oldest first.
    func live(of subject: Subject, at now: Date) throws -> [BrowserPush] {
        let pushes = try repositories.browserPushes.all(of: subject).filter { now < $0.expires }
        guard !pushes.isEmpty else { return [] }
        let sessions = try repositories.browserSessions.all(of: subject).filter { now < $0.expires }
        let live = Set(sessions.map(\.id))
        return pushes.filter { live.contains($0.session) }
    }

    /// The registration of a session that lives; `nil` for none.
    func live(_ session: ApproverID, at now: Date) throws -> BrowserPush? {
        guard let push = try repositories.browserPushes.find(session), now < push.expires,
            try Sessions(repositories).find(session, of: push.subject, at: now) != nil
        else { return nil }
        return push
    }

    /// Registers the browser of a session, in place of an earlier registration.
    ///
    /// - Parameters:
    ///   - session: The session, which the registration ends with.
    ///   - subscription: The address and the keys of the browser.
    ///   - language: The language of its pages.
    ///   - address: The network address of the browser.
    ///   - now: The current time.
    func add(
        _ session: BrowserSession, at subscription: WebPushSubscription, in language: PageLanguage,
        from address: String?, at now: Date
    ) throws {
        let others = try repositories.browserPushes.all(of: session.subject).filter { $0.session != session.id }
        for push in others.prefix(max(0, others.count - Self.most + 1)) {
            _ = try repositories.browserPushes.remove(push.session)
        }
        try repositories.browserPushes.keep(
            BrowserPush(
                session: session.id, subject: session.subject, subscription: subscription, language: language.tag,
                added: now, expires: session.expires))
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .browserPushAdded, by: .person, subject: session.subject, address: address,
                detail: subscription.origin.rawValue))
    }

    /// Removes the registration of a session of a person; returns whether there was one.
    func remove(_ session: ApproverID, of subject: Subject, from address: String?, at now: Date) throws -> Bool {
        guard let push = try repositories.browserPushes.find(session), push.subject == subject,
            try repositories.browserPushes.remove(session)
        else { return false }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .browserPushRemoved, by: .person, subject: subject, address: address,
                detail: push.subscription.origin.rawValue))
        return true
    }

    /// Prolongs the registration of a session with the session.
    func prolong(_ session: ApproverID, until expires: Date) throws {
        guard var push = try repositories.browserPushes.find(session) else { return }
        push.expires = expires
        try repositories.browserPushes.keep(push)
    }
}
