internal import Countersign

/// The party that answers a request for sign-in, after it was authenticated: each of these types is made in one place.
///
/// A party that answers from a page of this server brings the page. The others have a screen of their own, or no person
/// is asked.
enum DecidingParty: Sendable {
    /// A person who is signed in at a browser, and answers from a page.
    case visitor(SignedInVisitor, on: ShownPage)
    /// An app on the phone of a person.
    case app(ApprovingApp)
    /// The server, in the name of the person who is signed in at the browser, because of what they allowed the client
    /// before.
    case rememberedConsent(SignedInVisitor)
    /// The server, in the name of the person whose app it is, because of what they allowed the client before.
    case rememberedConsentAtApp(ApprovingApp)
    /// A person whom another provider named, in the app that asks.
    case proven(ProvenPerson)
    /// A person who made a ticket beforehand, which the app that asks presents.
    case ticketHolder(TicketHolder)
    /// The server, in the name of the person of an earlier sign-in: automatic sign-on.
    case earlierSignIn(SignInRecord)

    /// A device of the older dialect, which shares a secret with the environment that asks.
    case legacyDevice(AuthenticatedLegacyDevice)
    /// A person who typed at the customer's site the one-time password of a request, right or wrong.
    case passwordHolder(PasswordHolder)
    /// A person who opened the link in a text message about the request, and answers from the page that it leads to.
    case linkReader(AnswerLinkReader, on: ShownPage)

    /// The party as the approver of a request.
    var approver: Approver {
        switch self {
        case .visitor(let visitor, on: _), .rememberedConsent(let visitor): visitor.session.approver
        case .app(let app), .rememberedConsentAtApp(let app): app.approver
        case .proven(let proven):
            Approver(subject: proven.person.subject, id: ApproverID("token-exchange"))
        case .ticketHolder(let holder):
            Approver(subject: holder.person.subject, id: ApproverID("enrollment-ticket"))
        case .earlierSignIn(let record):
            Approver(subject: record.grant.subject, id: ApproverID("single-sign-on"))
        case .legacyDevice(let device): device.approver
        case .passwordHolder(let holder):
            Approver(subject: holder.subject, id: ApproverID("one-time-password"))
        case .linkReader(let reader, on: _):
            Approver(subject: reader.person.subject, id: ApproverID("text-message-link"))
        }
    }

    /// Whether it answers for a person who is not asked, because of what they allowed the client before.
    var answersByRememberedConsent: Bool {
        switch self {
        case .rememberedConsent, .rememberedConsentAtApp: true
        case .visitor, .app, .proven, .ticketHolder, .earlierSignIn, .legacyDevice, .passwordHolder, .linkReader: false
        }
    }

    /// Whether it can be asked for digits that the asking side shows: apps of the older dialect have no field for them,
    /// so their answer is weaker evidence.
    var typesDigits: Bool {
        switch self {
        case .legacyDevice: false
        case .visitor, .app, .rememberedConsent, .rememberedConsentAtApp, .proven, .ticketHolder, .earlierSignIn,
            .passwordHolder, .linkReader:
            true
        }
    }

    /// The page that it answers from; `nil` when no page asks it.
    var page: ShownPage? {
        switch self {
        case .visitor(_, on: let page), .linkReader(_, on: let page): page
        case .app, .rememberedConsent, .rememberedConsentAtApp, .proven, .ticketHolder, .earlierSignIn, .legacyDevice,
            .passwordHolder:
            nil
        }
    }

    /// The browser session that it answers in; `nil` when it does not answer by a browser.
    var session: BrowserSession? {
        switch self {
        case .visitor(let visitor, on: _), .rememberedConsent(let visitor): visitor.session
        case .app, .rememberedConsentAtApp, .proven, .ticketHolder, .earlierSignIn, .legacyDevice, .passwordHolder,
            .linkReader:
            nil
        }
    }

    /// The party as the audit names it.
    var actor: AuditActor {
        switch self {
        case .visitor, .app, .proven, .ticketHolder, .legacyDevice, .passwordHolder, .linkReader: .person
        case .rememberedConsent, .rememberedConsentAtApp, .earlierSignIn: .server
        }
    }
}
