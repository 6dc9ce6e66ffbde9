internal import Countersign
internal import FoundationEssentialsCompat

/// The party that answers a request for sign-in, after it was authenticated.
///
/// Each way in makes its own party of what it verified, by a function here or in an extension beside its verified type.
/// A party that answers from a page of this server brings the page. The others have a screen of their own, or no person
/// is asked.
struct DecidingParty: Sendable {
    /// The party as the approver of a request.
    let approver: ApproverIdentity
    /// The page that it answers from; `nil` when no page asks it.
    var page: FormContext?
    /// The browser session that it answers in; `nil` when it does not answer by a browser.
    var session: BrowserSession?
    /// Whether it answers for a person who is not asked, because of what they allowed the client before.
    var answersByRememberedConsent = false
    /// Whether it can be asked for digits that the asking side shows: apps of the older dialect have no field for them,
    /// so their answer is weaker evidence.
    var typesDigits = true
    /// The limit of what it approves, because its own sign-in ends by itself; `nil` for none.
    var limit: Limit?
    /// The place where it answers, for other places of the same person; `nil` where no person is asked.
    var place: ApproverPlace?
    /// The party as the audit names it.
    var actor = AuditActor.person

    /// The limit of what a party approves.
    struct Limit {
        /// The instant that nothing outlives.
        let ends: Date
        /// The browser session or app whose end, however early, ends it; `nil` for none.
        let approver: ApproverID?
    }

    /// Whether it is a person who is signed in at a browser and answers from a page.
    var isVisitor: Bool { page != nil && session != nil }

    /// A person who is signed in at a browser, and answers from a page.
    static func visitor(_ visitor: SignedInVisitor, on page: FormContext) -> DecidingParty {
        DecidingParty(
            approver: visitor.session.approver,
            page: page,
            session: visitor.session,
            limit: visitor.session.limit.map { Limit(ends: $0, approver: visitor.session.id) },
            place: .browser(visitor.session.id, name: page.browser)
        )
    }

    /// The server, in the name of the person who is signed in at the browser, because of what they allowed the client
    /// before.
    static func rememberedConsent(_ visitor: SignedInVisitor) -> DecidingParty {
        DecidingParty(
            approver: visitor.session.approver,
            session: visitor.session,
            answersByRememberedConsent: true,
            limit: visitor.session.limit.map { Limit(ends: $0, approver: visitor.session.id) },
            actor: .server
        )
    }

    /// The server, in the name of the person of an earlier sign-in: automatic sign-on.
    static func earlierSignIn(_ record: SignInRecord) -> DecidingParty {
        DecidingParty(
            approver: ApproverIdentity(subject: record.grant.subject, id: ApproverID("single-sign-on")),
            limit: record.grant.ends.map { Limit(ends: $0, approver: record.grant.endsWith) },
            actor: .server
        )
    }
}
