internal import Countersign
internal import FoundationEssentialsCompat

/// The asking screen, as it is shown to the person who decides.
struct RequestingDevice: Sendable {
    let stored: SignInExchangeRecord
    let client: Client
    /// The service that the request is for, if it names one.
    let domain: ServiceDomain?
    /// The claims that the operator declared.
    let claims: [ClaimMapping]
    /// The address of the person who decides, if it can be seen.
    let visitorAddress: String?
    /// Whether the person signed in in the asking browser before.
    var isKnownBrowser = false
    /// Whether the person is remembered on the asking screen.
    var isRemembered = false
    /// The end of the person's own session, if it was chosen: what they approve in it ends then, and is remembered
    /// nowhere; `nil` for the usual one.
    var visitorEnd: Date?
    /// The reason why no approval on the page is enough; `nil` where one is.
    var obstacle: Policy.ViolationError?

    private var request: SignInRequest { stored.exchange.request }

    /// The page that asks for the decision.
    ///
    /// - Parameter passkey: The data for confirming an approval with a passkey, where that is wanted.
    func confirmation(
        of named: RequestReference,
        for visitor: SignedInVisitor,
        confirmedBy passkey: PasskeyConfirmationView?,
        at now: Date
    ) -> ConfirmView {
        ConfirmView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            named: named,
            content(at: now),
            confirmedBy: passkey,
            at: now
        )
    }

    /// The page that asks for the decision of a person who opened the link in a text message.
    func confirmation(by link: AnswerLink, formToken: FormToken, at now: Date) -> ConfirmView {
        let named = RequestReference(.addressed(request.id))
        var page = ConfirmView(
            personName: nil, formToken: formToken.revealed, named: named, content(at: now), at: now)
        page.answer(by: link)
        return page
    }

    private func content(at now: Date) -> ConfirmView.Content {
        ConfirmView.Content(
            facts: facts(at: now),
            details: details(at: now),
            permissions: permissions,
            method: stored.method,
            comparison: obstacle == nil ? comparison(at: now) : .nothing,
            obstacle: obstacle,
            isStartedByCode: stored.terms.isStartedByCode,
            deadline: request.deadline,
            tag: stored.questionTag,
            sessionTerms: stored.sessionTerms(until: visitorEnd, at: now),
            sessionTerm: suggestedTerm,
            sessionLimit: visitorEnd,
            isRemembered: isRemembered,
            service: request.service?.value
        )
    }

    /// The time that the page suggests: the person's own screen or browser is known by an earlier sign-in.
    private var suggestedTerm: SessionTerm {
        guard !stored.method.opensBrowserSession else { return isKnownBrowser ? .own : .standard }
        return isRemembered && visitorEnd == nil ? .remembered : .own
    }

    /// The one thing to compare: a number to type makes every other comparison needless, and a person who typed the
    /// code has compared it.
    private func comparison(at now: Date) -> ConfirmView.Comparison {
        let isByLink = stored.exchange.taking(at: now)?.evidence.isByLink == true
        if !stored.terms.isTakerSpared, let number = stored.numberToType {
            guard number.shown != nil, stored.terms.wantsNumber || isByLink else { return .number }
            return stored.terms.wantsNumber ? .demandedNumber : .numberOfScreen
        }
        if let message = stored.method.message { return .message(message) }
        return isByLink ? .code : .nothing
    }

    /// The facts that matter first: the registered name of the app and the service, the place that the request comes
    /// from, and the names that the asking side gives; of a program that will act for the person, the purpose and the end.
    private func facts(at now: Date) -> [FactLine] {
        var facts: [FactLine] = [
            stored.method.browser.map { .page(for: $0.purpose) } ?? .app(client, request.client.provenance)
        ]
        if let domain { facts.append(.service(domain)) }
        if let service = request.service { facts += FactLine.service(service.value, at: now) }
        if let message = stored.method.message, stored.numberToType != nil { facts.append(.message(message)) }
        if let address = request.address {
            // Over the back channel a server asks, which is nowhere near the person.
            let reader = stored.method.isNamedByClient ? nil : visitorAddress
            facts.append(.address(address, sameAsReader: reader.map { $0 == address.value }))
        }
        if let origin = stored.method.origin { facts.append(.origin(.asserted(origin))) }
        if let name = request.deviceName { facts.append(.deviceName(name)) }
        return facts
    }

    /// The other facts: the time of the request, and the software by its own words.
    private func details(at now: Date) -> [FactLine] {
        [.asked(request.asked, at: now)] + (request.software.map { [.software($0)] } ?? [])
    }

    private var permissions: [PermissionLine] {
        let words = request.scope.value.permissions(giving: claims)
        return domain.map { [PermissionLine(using: $0)] + words } ?? words
    }
}

extension SignInExchangeRecord {
    /// The entity tag of every page that asks for a decision about it: the page stays as it is until the request is over.
    var questionTag: String { "\"\(id)\"" }

    /// The reason why its taker cannot approve it on a page, or not before they signed in in another way; `nil` when they
    /// can, or are led to a new sign-in when they do.
    func obstacle(
        to proofs: [Evidence.Proof], under policy: Policy, at now: Date
    ) -> Policy.ViolationError? {
        var evidence = Evidence(proofs).adding(exchange.taking(at: now)?.evidence)
        if !terms.isTakerSpared, numberToType != nil { evidence.add(.numberMatched) }
        let demands = demands(under: policy)
        return demands.obstacle(to: evidence) ?? demands.obstacleOfSignIn(to: evidence)
    }
}
