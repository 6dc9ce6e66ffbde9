internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The visitor of a page: a browser, and the person who is signed in with it, if one is.
struct Visitor: Sendable {
    /// The cookie that ties the browser's forms to it.
    let cookie: BrowserCookie
    /// Whether the browser does not have the cookie yet.
    let isNew: Bool
    let formToken: FormToken
    let signedIn: SignedInVisitor?
}

/// A person who is signed in at a browser; made by ``BrowserSessions`` alone, from a cookie that was looked up.
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

/// The account was changed while its person was signing in.
struct PersonChangedError: Error {}

/// Recognizes browsers by their cookies, and stores who is signed in at them.
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
        let signedIn = try await store.read { repositories -> SignedInVisitor? in
            do {
                let live = try Sessions(repositories).live(cookie.digest, at: clock.now())
                return SignedInVisitor(session: live.session, person: live.person, formToken: formToken)
            } catch is SessionEndedError {
                return nil
            }
        }
        return Visitor(cookie: cookie, isNew: false, formToken: formToken, signedIn: signedIn)
    }

    /// Signs `person` in at a browser, which gets a new cookie, so that a planted one is useless (session fixation).
    ///
    /// - Parameters:
    ///   - old: The cookie that the browser had.
    ///   - address: The network address of the browser.
    ///   - authentication: The way that the person authenticated; by their password unless another way is given.
    ///   - since: The time when they authenticated; `nil`, the default, for now.
    ///   - also: Runs as part of the same change.
    /// - Throws: ``PersonChangedError`` when the person was locked, or has another password, since `person` was read.
    func signIn(
        _ person: Person,
        replacing old: BrowserCookie,
        from address: String?,
        by authentication: Authentication = .password,
        since: Date? = nil,
        also: @escaping @Sendable (any Repositories) throws -> Void
    ) async throws -> BrowserCookie {
        let cookie: BrowserCookie = mint.secret()
        let now = clock.now()
        let fresh: ApproverID = mint.identifier()
        let expires = now.addingTimeInterval(lifetime)
        try await store.change { repositories in
            let again = try repositories.people.find(person.subject)
            guard again?.password == person.password, again?.standing == person.standing else {
                throw PersonChangedError()
            }
            // A person who signs in again stays in the same session, whose end clients are told of.
            let earlier = try repositories.browserSessions.find(old.digest)
            let isContinued = earlier?.subject == person.subject
            if let earlier {
                if isContinued {
                    try repositories.browserSessions.remove(old.digest)
                    try Sessions(repositories).prolong(earlier.id, until: expires)
                } else {
                    try Sessions(repositories).end(earlier, at: now)
                    try Audit(repositories).record(
                        AuditEntry.Facts(
                            at: now, .loggedOut, by: .person, subject: earlier.subject, address: address,
                            detail: "another person signed in in the same browser")
                    )
                }
            }
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: cookie.digest,
                    id: isContinued ? earlier?.id ?? fresh : fresh,
                    subject: person.subject,
                    authenticated: since ?? now,
                    expires: expires,
                    by: authentication
                )
            )
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now,
                    .loggedIn,
                    by: .person,
                    subject: person.subject,
                    address: address,
                    detail: authentication == .password
                        ? nil : Evidence(Evidence.proofs(of: authentication, at: now)).audited
                )
            )
            try VisitHistory(repositories).note(of: person.subject, from: address, at: now)
            try also(repositories)
        }
        return cookie
    }

    /// Signs the person out who is signed in with a browser, and lets clients know that were signed in by it.
    func signOut(_ cookie: BrowserCookie) async throws {
        let now = clock.now()
        guard try await store.read({ try $0.browserSessions.find(cookie.digest) }) != nil else { return }
        try await store.change { repositories in
            guard let session = try repositories.browserSessions.find(cookie.digest) else { return }
            try Sessions(repositories).end(session, at: now)
            try Audit(repositories).record(AuditEntry.Facts(at: now, .loggedOut, by: .person, subject: session.subject))
        }
    }
}
