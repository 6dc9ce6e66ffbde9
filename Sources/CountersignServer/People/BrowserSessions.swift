internal import FoundationEssentialsCompat

/// The visitor of a page: a browser, and its signed-in person, if there is one.
struct Visitor: Sendable {
    /// The cookie that binds forms to the browser.
    let cookie: BrowserCookie
    /// Whether the browser does not have the cookie yet.
    let isNew: Bool
    let formToken: FormToken
    let signedIn: SignedInVisitor?
    /// The person at the browser who had their account marked for removal.
    var leaving: LeavingVisitor?
}

/// A person at a browser who had their account marked for removal: all that they may do is to keep it. It is made by
/// ``BrowserSessions`` alone.
struct LeavingVisitor: Sendable {
    let session: BrowserSession
    let person: Person

    fileprivate init(session: BrowserSession, person: Person) {
        self.session = session
        self.person = person
    }
}

/// A person who is signed in at a browser; made by ``BrowserSessions`` alone.
struct SignedInVisitor: Sendable {
    let session: BrowserSession
    let person: Person
    let formToken: FormToken

    fileprivate init(session: BrowserSession, person: Person, formToken: FormToken) {
        self.session = session
        self.person = person
        self.formToken = formToken
    }
}

/// The account changed during the sign-in of its person.
struct PersonChangedError: Error {}

/// Recognizes browsers by their cookies, and stores their sessions.
struct BrowserSessions: Sendable {
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let clock: TimeSource
    /// The lifetime of a browser session, in seconds.
    let lifetime: TimeInterval

    /// The visitor who sent `cookie`, or a new one.
    func visitor(presenting cookie: BrowserCookie?) async throws -> Visitor {
        let keys = try await keys.current()
        guard let cookie else {
            let fresh: BrowserCookie = mint.secret()
            return Visitor(cookie: fresh, isNew: true, formToken: keys.formToken(for: fresh), signedIn: nil)
        }
        let formToken = keys.formToken(for: cookie)
        let visitor = try await store.read { repositories -> Visitor in
            do {
                let live = try Sessions(repositories).live(cookie.digest, at: clock.now())
                let signedIn = SignedInVisitor(session: live.session, person: live.person, formToken: formToken)
                return Visitor(cookie: cookie, isNew: false, formToken: formToken, signedIn: signedIn)
            } catch let ended as SessionEndedError {
                var visitor = Visitor(cookie: cookie, isNew: false, formToken: formToken, signedIn: nil)
                guard ended.person == .leaving else { return visitor }
                let found = try Sessions(repositories).leaving(cookie.digest, at: clock.now())
                visitor.leaving = LeavingVisitor(session: found.session, person: found.person)
                return visitor
            }
        }
        if let session = visitor.signedIn?.session { await noteUse(of: session) }
        return visitor
    }

    /// Notes the use of a session, at most once an hour. A store that cannot write keeps the earlier time.
    private func noteUse(of session: BrowserSession) async {
        var session = session
        guard session.note(clock.now()) else { return }
        try? await store.change { [session] in try $0.browserSessions.update(session) }
    }

    /// Signs `person` in at a browser, with a new cookie against session fixation.
    ///
    /// - Parameters:
    ///   - old: The previous cookie of the browser.
    ///   - browser: The browser.
    ///   - authentication: The way of the authentication; the password by default.
    ///   - since: The time of the authentication; `nil`, the default, for now.
    ///   - also: Runs in the same change.
    /// - Throws: ``PersonChangedError`` when the standing or the password changed since `person` was read.
    func signIn(
        _ person: Person,
        replacing old: BrowserCookie,
        at browser: BrowserDetails,
        by authentication: Authentication = .password,
        since: Date? = nil,
        also: @escaping @Sendable (any Repositories) throws -> Void
    ) async throws -> BrowserCookie {
        let start = SessionStart(by: authentication, at: since ?? clock.now())
        return try await begin(start, of: person, replacing: old, at: browser, also: also)
    }

    /// Signs `person` in at a browser because of their approval on another device, in a session of its own.
    ///
    /// - Parameters:
    ///   - opening: The approval.
    ///   - old: The previous cookie of the browser.
    ///   - address: The network address of the browser.
    ///   - also: Runs in the same change.
    /// - Returns: The new cookie.
    /// - Throws: ``PersonChangedError`` when the standing or the password changed since `person` was read; what `also`
    ///   throws.
    func signIn(
        _ person: Person,
        approvedBy opening: SessionOpening,
        replacing old: BrowserCookie,
        from address: String?,
        also: @escaping @Sendable (any Repositories) throws -> Void
    ) async throws -> BrowserCookie {
        let usual = clock.now() + lifetime
        let start = SessionStart(
            by: .crossDevice,
            at: opening.grant.evidence.authenticated ?? Evidence.unknownInstant,
            opening: opening,
            expires: min(usual, opening.grant.ends ?? usual)
        )
        let browser = BrowserDetails(name: opening.software, address: address)
        return try await begin(start, of: person, replacing: old, at: browser, also: also)
    }

    /// The sign-in that a session begins with.
    private struct SessionStart: Sendable {
        let authentication: Authentication
        /// The time of the authentication.
        let authenticated: Date
        /// The approval on another device; `nil` for a sign-in in the browser itself.
        let opening: SessionOpening?
        /// The expiry of the session; `nil` for the lifetime of all sessions.
        let expires: Date?

        init(
            by authentication: Authentication,
            at authenticated: Date,
            opening: SessionOpening? = nil,
            expires: Date? = nil
        ) {
            self.authentication = authentication
            self.authenticated = authenticated
            self.opening = opening
            self.expires = expires
        }

        /// Whether an earlier session of the browser goes on. An approval on another device begins a new one.
        func continues(_ earlier: BrowserSession?, of person: Person) -> Bool {
            earlier?.subject == person.subject && opening == nil
        }
    }

    private func begin(
        _ start: SessionStart,
        of person: Person,
        replacing old: BrowserCookie,
        at browser: BrowserDetails,
        also: @escaping @Sendable (any Repositories) throws -> Void
    ) async throws -> BrowserCookie {
        let cookie: BrowserCookie = mint.secret()
        let now = clock.now()
        let fresh: ApproverID = mint.identifier()
        let usual = now.addingTimeInterval(lifetime)
        try await store.change { repositories in
            let again = try repositories.people.find(person.subject)
            guard again?.password == person.password, again?.standing == person.standing else {
                throw PersonChangedError()
            }
            // A person who signs in again stays in the same session.
            let earlier = try repositories.browserSessions.find(old.digest)
            let isContinued = start.continues(earlier, of: person) && earlier.map { $0.expires > now } == true
            let opening = isContinued ? earlier?.opening : start.opening
            // A time that an approver chose stays, whatever the person proves in the browser afterwards.
            let limit = isContinued && opening?.isLimited == true ? earlier?.expires : start.expires
            let expires = limit ?? usual
            if let earlier {
                if isContinued {
                    try repositories.browserSessions.remove(old.digest)
                    try Sessions(repositories).prolong(earlier.id, until: expires)
                } else {
                    let reason =
                        earlier.subject == person.subject
                        ? "signed in anew in the same browser" : "another person signed in in the same browser"
                    try Sessions(repositories).end(earlier, because: reason, from: browser.address, at: now)
                }
            }
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: cookie.digest, id: isContinued ? earlier?.id ?? fresh : fresh, subject: person.subject,
                    authenticated: start.authenticated, expires: expires, by: start.authentication, opening: opening,
                    at: browser, lastUsed: now)
            )
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now,
                    .loggedIn,
                    by: .person,
                    subject: person.subject,
                    address: browser.address,
                    detail: start.authentication == .password
                        ? nil : Evidence(Evidence.proofs(of: start.authentication, at: now)).audited
                )
            )
            // The network of a machine that is not the person's own does not become one that they are known in.
            if opening?.isLimited != true {
                try VisitHistory(repositories).note(of: person.subject, from: browser.address, at: now)
            }
            try also(repositories)
        }
        return cookie
    }

    /// Ends the session of a browser, and notifies the clients that were signed in by it.
    func signOut(_ cookie: BrowserCookie) async throws {
        let now = clock.now()
        guard try await store.read({ try $0.browserSessions.find(cookie.digest) }) != nil else { return }
        try await store.change { repositories in
            guard let session = try repositories.browserSessions.find(cookie.digest) else { return }
            try Sessions(repositories).end(session, at: now)
        }
    }
}

extension BrowserSession {
    /// The precision of a session's last use, in seconds: writing each use would make every page a change.
    private static let exactness: TimeInterval = 3600

    /// Notes a use; returns whether the session has to be written.
    fileprivate mutating func note(_ use: Date) -> Bool {
        guard abs(use.timeIntervalSince(lastUsed)) >= Self.exactness else { return false }
        lastUsed = use
        return true
    }
}
