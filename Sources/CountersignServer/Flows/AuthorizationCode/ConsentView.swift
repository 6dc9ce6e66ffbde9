internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The page where a person decides about the authorization request of an app.
struct ConsentView: Page {
    static let template = PageTemplate.consent
    static let showsTimes = true

    let personName: String
    let formToken: String
    /// The name of the app.
    let appName: String
    /// The form field `authorization`: the parameters of the request, with the mark of when it was seen.
    let authorization: String
    /// The facts about the app that asks, and about the destination of the answer.
    let facts: [FactLine]
    /// The permissions that it asks for.
    let permissions: [PermissionLine]
    /// Whether the answer is remembered, so that the person is not asked again.
    let isRemembered: Bool
    /// The address for choosing another account.
    let otherAccount: String
    /// The data for confirming an approval with a passkey; `nil` where the approval alone is enough.
    let passkey: PasskeyConfirmationView?
    /// The path of the page for adding a passkey; the person comes back from it.
    let passkeyAddition: String
    /// Whether the person can approve; they cannot while a required passkey is missing.
    let offersApproval: Bool
    /// The data for an approval after a delay; `nil` where the person can approve at once.
    var deliberation: ApprovalDelayView?
    /// The end of the person's own session, and of what they approve in it; `nil` for one that does not end by itself.
    var sessionLimit: TimeDisplay?
    /// The times to choose from for a service; empty for an app of the person.
    let sessionTerms: [SessionTermView]
    /// The reason why the last attempt failed.
    var problem: LocalizedText?

    var title: LocalizedText { .title(.text(.confirmTitle), with: problem) }
}

extension ConsentView {
    init(
        _ checked: CheckedAuthorizationRequest,
        for visitor: SignedInVisitor,
        giving claims: [ClaimMapping],
        confirmedBy passkey: PasskeyConfirmationView?,
        otherAccount: String,
        at now: Date
    ) {
        self.passkey = passkey
        passkeyAddition = PasskeysPage.address(returningTo: "\(AuthorizePage.path)?\(checked.seen.marked)")
        offersApproval = passkey == nil || passkey?.passkeyOptions != nil
        personName = visitor.person.name
        formToken = visitor.formToken.revealed
        appName = checked.client.shownName
        authorization = ConsentDigest(checked).marking(checked.seen.marked)
        let service = checked.request.service
        isRemembered = checked.isClientAssured && visitor.session.limit == nil && service == nil
        facts =
            [
                .requestingApp(checked.client, isAssured: checked.isClientAssured),
                .answerAddress(checked.answering.redirectURI),
            ] + (service.map { FactLine.service($0, at: now) } ?? [])
        sessionTerms = service.map { SessionTermView.all(for: $0, until: visitor.session.limit, at: now) } ?? []
        sessionLimit = visitor.session.limit.map { TimeDisplay($0, at: now) }
        permissions = checked.scope.permissions(giving: claims)
        self.otherAccount = otherAccount
    }
}

extension FactLine {
    /// The app that asks, by its registered name. The app is certain only if no other program can receive the answer;
    /// its right to the name is certain only if an operator registered it.
    static func requestingApp(_ client: Client, isAssured: Bool) -> FactLine {
        guard !isAssured || client.namedItself else { return FactLine(.text(.factApp), .verified(client.name)) }
        return FactLine(
            .text(.factApp),
            .asserted(client.name),
            source: .text(.factNotVerified),
            note: .text(client.namedItself ? .factOwnName : .factAnyProgramHere)
        )
    }

    /// The destination of an authorization request's answer, which the client registered.
    static func answerAddress(_ redirectURI: String) -> FactLine {
        let scheme = redirectURI.prefix { $0 != ":" }
        switch scheme {
        case "https":
            let host = redirectURI.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
            return FactLine(.text(.factReturnsTo), .verified(String(host)))
        case "http":
            return FactLine(.text(.factReturnsTo), verified: .text(.factProgramHere))
        default:
            return FactLine(
                .text(.factReturnsTo),
                verified: .text(.factAppHere, ["scheme": .verbatim(String(scheme))])
            )
        }
    }
}

/// The page that posts an answer to the app, for the response mode `form_post`.
///
/// Standard: OAuth 2.0 Form Post Response Mode §2.
struct PostedAnswerView: Page {
    static let template = PageTemplate.postedAnswer

    /// One parameter of the answer.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    /// The address that the form is sent to.
    let address: String
    let fields: [Field]

    var title: LocalizedText { .text(.postedAnswerTitle) }

    /// The only script of all pages, which stands in the template: it submits the form.
    static let script = "document.forms[0].submit()"
    /// Its hash for the Content Security Policy; a test compares it with the script.
    static let scriptHash = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE="
}

extension PostedAnswerView {
    init(_ answer: AuthorizationReply) {
        address = answer.address.redirectURI
        fields = answer.response.form.parameters.map { Field(name: $0.name, value: $0.value) }
    }
}
