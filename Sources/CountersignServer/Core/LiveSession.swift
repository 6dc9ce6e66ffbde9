internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A browser session that holds right now, and its person; made by ``Repositories/liveSession(_:at:)`` alone.
struct LiveSession: Sendable {
    let session: BrowserSession
    let person: Person

    fileprivate init(_ session: BrowserSession, _ person: Person) {
        self.session = session
        self.person = person
    }
}

/// The browser session of a person does not hold, or no longer.
struct SessionEnded: Error {
    /// The standing of the person, where the session does not hold because of that; `nil` where the person signed out,
    /// or the session expired.
    let person: Policy.Standing?
}

extension Repositories {
    /// The session of a cookie: it is stored, it has not expired, and the account of its person is active.
    ///
    /// Every look-up and every change for a person at a browser asks this function.
    /// - Throws: ``SessionEnded``.
    func liveSession(_ cookie: SecretDigest, at now: Date) throws -> LiveSession {
        guard let session = try browserSessions.find(cookie), now < session.expires else {
            throw SessionEnded(person: nil)
        }
        guard let person = try people.find(session.subject) else { throw SessionEnded(person: .absent) }
        guard person.isActive else { throw SessionEnded(person: person.standing) }
        return LiveSession(session, person)
    }

    /// The same for a session that was looked up before: in the change that its person asked for, it still holds.
    ///
    /// - Throws: ``SessionEnded``.
    @discardableResult
    func liveSession(_ session: BrowserSession, at now: Date) throws -> LiveSession {
        let live = try liveSession(session.cookie, at: now)
        guard live.session.subject == session.subject else { throw SessionEnded(person: nil) }
        return live
    }
}
