import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Every page in every state, filled with one text wherever a text goes.
enum SamplePages {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// The pages by a name for messages.
    static func html(
        filledWith text: String,
        base: String = "",
        in language: PageLanguage = .english
    ) throws -> [String: String] {
        try html(filledWith: text, by: PageRenderer(base: base), in: language)
    }

    /// The same by a renderer of a brand, or with other texts.
    static func html(
        filledWith text: String,
        by renderer: PageRenderer,
        in language: PageLanguage = .english
    ) throws -> [String: String] {
        var pages: [String: String] = [:]
        func add(_ name: String, _ page: some Page) { pages[name] = renderer.html(page, in: language) }

        add("login", LoginView(formToken: text, returnTo: text))
        add("login for an app", LoginView(formToken: text, returnTo: text, appName: text))
        add(
            "login again",
            LoginView(
                formToken: text, returnTo: text, username: text, problem: .verbatim(text), providers: [provider(text)]))
        add("login with a passkey", LoginView(formToken: text, returnTo: text, passkeyOptions: text))
        for (name, page) in browserSignIn(text) { add(name, page) }
        for (name, page) in secondFactors(text) { add(name, page) }
        for (name, page) in links(text) + removal(text) { add(name, page) }
        add("on to a provider", LeavingView(providerName: text, address: text))
        add("code", CodeEntryView(personName: text, formToken: text))
        add(
            "code again",
            CodeEntryView(
                personName: text, formToken: text, userCode: text, notice: .verbatim(text), problem: .verbatim(text))
        )
        add(
            "code below confirmations",
            CodeEntryView(
                personName: text,
                formToken: text,
                problem: .verbatim(text),
                confirmations: [confirmation(text)],
                returning: UnverifiedReturnAddress(text)
            )
        )
        add("code below a question", CodeEntryView(personName: text, formToken: text, question: question(text)))
        add(
            "code below a request that the person started",
            CodeEntryView(
                personName: text,
                formToken: text,
                confirmations: [
                    WaitingConfirmation(
                        requestID: text, serviceName: text, domain: nil, app: nil, asked: TimeDisplay(noon, at: noon),
                        address: text)
                ]
            )
        )
        add("code for a screen", PersonCodeView(personName: text, formToken: text))
        add("code for a screen, expired", PersonCodeView(personName: text, formToken: text, isExpired: true))
        let personCode = PersonCode(revealing: "12345678")
        add(
            "code for a screen that is shown",
            PersonCodeView(personName: text, formToken: text, personCode, until: noon + 120, at: noon))
        add("link", LinkArrivalView(personName: text, formToken: text, userCode: text))
        add(
            "link from an app",
            LinkArrivalView(
                personName: text, formToken: text, userCode: text, returning: UnverifiedReturnAddress(text)
            )
        )
        add("confirm", confirm(text))
        let code = try #require(UserCode(parsing: "WDJB-MJHT"))
        add(
            "confirm in an app",
            confirm(
                text, RequestReference(.code(code), returning: UnverifiedReturnAddress(text)),
                over: .deviceCode(UserCodeDigest(restoring: [])), comparing: .code))
        add(
            "confirm for a browser",
            confirm(
                text, RequestReference(.code(code)),
                over: .browserSession(UserCodeDigest(restoring: []), BrowserSignInTerms(of: SecretDigest(of: text)))))
        add("confirm without a code", confirm(text, RequestReference(.addressed(SignInRequest.ID(text)))))
        add(
            "confirm over the back channel",
            confirm(text, over: .backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: nil))))
        add(
            "confirm with a message",
            confirm(
                text, over: .backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: BindingMessage(text))),
                comparing: .message(text))
        )
        var answering = confirm(text)
        answering.answer(by: try #require(AnswerLink("\(text).\(text)") ?? AnswerLink("a.b")))
        add("confirm by a link", answering)
        add("confirm with a number", confirm(text, comparing: .number))
        var again = confirm(text, comparing: .number)
        again.refuseNumber()
        add("confirm with a number again", again)
        var early = confirm(text)
        early.refuseHaste()
        add("confirm too early", early)
        add("confirm that needs a phone nearby", confirm(text, obstacle: .notNearby))
        add("confirm that needs the person's device", confirm(text, obstacle: .notSignedByDevice))
        add("confirm that needs the password", confirm(text, obstacle: .notByPassword))
        add("confirm that needs a second factor", confirm(text, obstacle: .noSecondFactor))
        add("result by a link", ResultView(.expired))
        var elsewhere = ResultView(.denied)
        elsewhere.answered = AnswerPlace(.device, named: text, answered: noon).words(at: noon)
        (elsewhere.historyID, elsewhere.tag) = (text, text)
        add("result of another place", elsewhere)
        for (name, page) in domains(text) { add(name, page) }
        for (name, page) in administration(text) { add(name, page) }
        for (name, page) in sites(text) { add(name, page) }
        add("consent", consent(text))
        add("end of a session", EndSessionView(personName: text, formToken: text, session: text))
        add(
            "posted answer",
            PostedAnswerView(address: text, fields: [PostedAnswerView.Field(name: text, value: text)])
        )
        add("account", account(text))
        add("time zone", TimeZoneView(personName: text, formToken: text, chosen: nil))
        add(
            "time zone again",
            TimeZoneView(personName: text, formToken: text, chosen: nil, problem: .verbatim(text)))
        add("question before an act", confirmation(of: act(text), text))
        var refused = account(text)
        (refused.problem, refused.isBackchannelUserCodeWrong) = (.verbatim(text), true)
        add("account again", refused)
        for (name, page) in try histories(text) { add(name, page) }
        add("empty account", AccountView(personName: text, formToken: text, screens: []))
        for (name, outcome) in outcomes(text) {
            add("result \(name)", ResultView(personName: text, formToken: text, outcome: outcome))
        }
        let problems: [PageError] = [
            .notFound, .formExpired, .cookiesNeeded, .methodNotAllowed(allowed: text),
            .tooManyAttempts(RateLimitError(.limit(.guessPerAddress), retryAfter: 90)),
            .tooManyAttempts(RateLimitError(.passwordQueue, retryAfter: 90)), .serverFault,
            .strayReturn,
            .administratorsOnly, .lastOperator, .limitedBrowser(until: noon),
        ]
        for problem in ProviderSignInError.allCases {
            add("problem of a provider: \(problem)", ProblemView(.provider(problem, named: text)))
        }
        for problem in problems {
            let view = ProblemView(problem, goingOnTo: "/activate")
            add("problem \(view.heading.english)", view)
        }
        return pages
    }

    private static func histories(_ text: String) throws -> [(String, RequestHistoryView)] {
        let whole = RequestHistory(try SampleRequest.records(named: text), at: noon + 30)
        let swept = RequestHistory(try SampleRequest.records(named: text, isSwept: true), at: noon + 30)
        return [
            ("history", RequestHistoryView(personName: text, formToken: text, whole, at: noon + 30)),
            (
                "history of a removed request",
                RequestHistoryView(personName: text, formToken: text, swept, at: noon + 30)
            ),
        ]
    }

    private static func domains(_ text: String) -> [(String, any Page)] {
        var domain = ServiceDomain(
            name: Domain(text),
            displayName: text,
            credential: SecretDigest(of: text),
            redirectURIs: [text],
            created: noon
        )
        domain.group = text
        let draft = DomainDraft(domain)
        let problems = Dictionary(
            uniqueKeysWithValues: DomainDraft.Field.allCases.map { ($0, DomainProblem.badAddress(text, .tooLong(512))) }
        )
        func form(_ act: DomainFormView.Act, _ problems: [DomainDraft.Field: DomainProblem] = [:]) -> DomainFormView {
            DomainFormView(personName: text, formToken: text, act: act, draft: draft, problems: problems)
        }
        let list = [DomainEntry(domain)]
        return [
            ("no services", DomainListView(personName: text, formToken: text, domains: [])),
            ("services", DomainListView(personName: text, formToken: text, notice: .verbatim(text), domains: list)),
            ("new service", form(.add)),
            ("new service again", form(.add, problems)),
            ("service", form(.change)),
            (
                "credential",
                DomainCredentialView(
                    personName: text, formToken: text, displayName: text, domain: text, credential: text,
                    checkAddress: text, isNew: true
                )
            ),
            ("renewal", confirmation(of: .renewal(of: domain), text)),
            ("removal", confirmation(of: .removal(of: domain), text)),
        ]
    }

    /// The page that asks before an act.
    static func confirmation(of act: DestructiveAct, _ text: String) -> ConfirmationView {
        ConfirmationView(act, of: [text: text], sentTo: "/\(text)", personName: text, formToken: text)
    }

    static func confirmation(_ text: String) -> WaitingConfirmation {
        WaitingConfirmation(
            requestID: text, serviceName: text, domain: text, app: text, asked: TimeDisplay(noon, at: noon),
            address: text
        )
    }

    static func question(_ text: String) -> BackchannelQuestion {
        BackchannelQuestion(
            questionID: text, asker: text, binding: text, questionAsked: TimeDisplay(noon, at: noon),
            questionAddress: text, questionOrigin: text
        )
    }

    static func confirm(
        _ text: String,
        _ named: RequestReference? = nil,
        over method: SignInMethod = .singleSignOn,
        comparing comparison: ConfirmView.Comparison = .nothing,
        obstacle: Policy.ViolationError? = nil,
        confirmedBy passkey: PasskeyConfirmationView? = nil
    ) -> ConfirmView {
        let service: GuestService? =
            if case .backchannel = method { GuestService(purpose: text, ends: noon + 90_000) } else { nil }
        let facts: [FactLine] =
            [
                method.browser.map { .page(for: $0.purpose) } ?? .app(client(text), .verified), .message(text),
                .address(.observed(text), sameAsReader: true),
                .deviceName(.asserted(text)),
            ] + (service.map { FactLine.service($0, at: noon) } ?? [])
        let details: [FactLine] = [.asked(.observed(noon - 130), at: noon), .software(.asserted(text))]
        let permissions = [
            PermissionLine(.openid), PermissionLine(ScopeWord(rawValue: text), meaning: .verbatim(text)),
        ]
        let terms: [SessionTerm] =
            switch method {
            case .browserSession: [.own, .hour]
            case .deviceCode: SessionTerm.allCases
            default: []
            }
        return ConfirmView(
            personName: text,
            formToken: text,
            named: named
                ?? RequestReference(.addressed(SignInRequest.ID(text)), returning: UnverifiedReturnAddress(text)),
            ConfirmView.Content(
                facts: facts, details: details, permissions: method.browser == nil ? permissions : [], method: method,
                comparison: comparison, obstacle: obstacle, deadline: noon + 250, tag: text,
                sessionTerms: terms, sessionTerm: .hour, sessionLimit: method.browser == nil ? nil : noon + 3600,
                isRemembered: method.browser == nil, service: service),
            confirmedBy: passkey,
            at: noon
        )
    }

    static func consent(_ text: String, confirmedBy passkey: PasskeyConfirmationView? = nil) -> ConsentView {
        ConsentView(
            personName: text,
            formToken: text,
            appName: text,
            authorization: text,
            facts: [.app(client(text), .asserted), .answerAddress("https://\(text)/done")],
            permissions: [
                PermissionLine(.openid), PermissionLine(ScopeWord(rawValue: text), meaning: .verbatim(text)),
            ],
            isRemembered: true,
            otherAccount: "/\(text)",
            passkey: passkey,
            passkeyAddition: "/\(text)",
            offersApproval: passkey?.lacksPasskey != true,
            sessionTerms: SessionTermView.all(
                for: GuestService(purpose: text, ends: noon + 90_000), until: nil, at: noon)
        )
    }

    /// A client that the operator registered.
    private static func client(_ name: String) -> Client {
        Client(
            id: ClientID("tv"),
            name: name,
            kind: .public,
            grantTypes: [.deviceCode],
            scope: Scope([.openid]),
            tokenFormat: .opaque,
            created: noon
        )
    }

    private static func secondFactors(_ text: String) -> [(String, any Page)] {
        [
            ("password", PasswordView(personName: text, formToken: text, username: text)),
            (
                "password again",
                PasswordView(personName: text, formToken: text, username: text, ending: .all, refusing: .wrongPassword)
            ),
            (
                "new password again",
                PasswordView(
                    personName: text, formToken: text, username: text, ending: .none, refusing: .rule(.tooShort))
            ),
            ("e-mail address", EmailView(personName: text, formToken: text, of: (text, true))),
            (
                "e-mail address, code sent",
                EmailView(
                    personName: text, formToken: text, of: (text, false), pending: text, typed: (text, text),
                    refusing: .wrongCode)
            ),
            (
                "first e-mail address",
                EmailView(
                    personName: text, formToken: text, of: (nil, false), typed: ("", text), refusing: .malformed)
            ),
            (
                "first password",
                PasswordView(
                    personName: text, formToken: text, username: text, hasPassword: false, asksPassword: false)
            ),
            (
                "new passkey",
                PasskeyAdditionView(personName: text, formToken: text, options: text, passkeysElsewhere: nil)
            ),
            (
                "new passkey again",
                PasskeyAdditionView(
                    personName: text,
                    formToken: text,
                    options: text,
                    passkeysElsewhere: nil,
                    passkeyName: text,
                    problem: .verbatim(text)
                )
            ),
            (
                "new passkey on the way",
                PasskeyAdditionView(
                    personName: text, formToken: text, options: text, passkeysElsewhere: nil, returnTo: "/\(text)")
            ),
            ("enrollment", enrollment(text)), ("enrollment in a browser", EnrollmentArrivalView()),
            ("one-time passwords", authenticator(text)),
            ("one-time passwords again", authenticator(text, problem: .verbatim(text))),
            ("one-time passwords from a counter", authenticator(text, by: .counter)),
            (
                "recovery codes",
                RecoveryCodesView(personName: text, formToken: text, happened: .verbatim(text), codes: [text, text])
            ),
            ("site code", CustomerSiteCodeView(siteName: text, qrSize: "41", qrPath: text)),
            ("second factor", SecondFactorView(formToken: text, returnTo: text, ticket: text)),
            ("second factor again", refused(.code, text)), ("second factor again by two codes", refused(.pair, text)),
            ("second factor again by a recovery code", refused(.recoveryCode, text)),
            ("confirm with a passkey", confirm(text, confirmedBy: PasskeyConfirmationView(passkeyOptions: text))),
            ("confirm without a passkey", confirm(text, confirmedBy: PasskeyConfirmationView(passkeyOptions: nil))),
            ("confirm after a delay", delayed(confirm(text), text)),
            ("consent after a delay", delayed(consent(text), text)),
            ("consent again", refused(consent(text), text)),
            ("consent without a passkey", consent(text, confirmedBy: PasskeyConfirmationView(passkeyOptions: nil))),
            ("consent with a passkey", consent(text, confirmedBy: PasskeyConfirmationView(passkeyOptions: text))),
        ]
    }

    private static func delayed(_ page: ConfirmView, _ text: String) -> ConfirmView {
        var page = page
        page.deliberation = ApprovalDelayView(shownMark: text, delaySeconds: "3")
        return page
    }

    private static func refused(_ kind: SecondFactorView.Kind, _ text: String) -> SecondFactorView {
        SecondFactorView(
            formToken: text, returnTo: text, ticket: text,
            refusing: SecondFactorView.Refusal(kind: kind, wasUsed: false))
    }

    private static func refused(_ page: ConsentView, _ text: String) -> ConsentView {
        var page = page
        page.problem = .verbatim(text)
        return page
    }

    private static func delayed(_ page: ConsentView, _ text: String) -> ConsentView {
        var page = page
        page.deliberation = ApprovalDelayView(shownMark: text, delaySeconds: "3")
        return page
    }

    private static func enrollment(_ text: String) -> EnrollmentView {
        EnrollmentView(
            personName: text, formToken: text, invitation: text, qrSize: "41", qrPath: text,
            ends: TimeDisplay(noon, at: noon), timeLeft: .verbatim(text))
    }

    private static func authenticator(
        _ text: String,
        by factor: MovingFactor = .time,
        problem: LocalizedText? = nil
    ) -> OneTimePasswordSetupView {
        OneTimePasswordSetupView(
            personName: text, formToken: text, proposal: text, factor: factor.rawValue, countsTime: factor == .time,
            secretText: text, qrSize: "41", qrPath: text,
            problem: problem)
    }

    static func provider(_ text: String) -> OfferedProviderView {
        OfferedProviderView(
            IdentityProvider(
                id: IdentityProvider.ID(text),
                displayName: text,
                issuer: IdentityIssuer(text),
                kind: .openID(IdentityProvider.OpenID(client: ClientID(text), credential: .none)),
                created: noon
            )
        )
    }
}
