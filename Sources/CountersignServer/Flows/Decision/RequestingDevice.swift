internal import Countersign
internal import FoundationEssentialsCompat

/// The asking screen, as it is shown to the person who decides.
struct RequestingDevice: Sendable {
    let stored: SignInExchangeRecord
    let client: Client
    /// The service that the request is for, if it names one.
    let domain: ServiceDomain?
    /// The address of the person who decides, if it can be seen.
    let visitorAddress: String?

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
            permissions: permissions,
            method: stored.method,
            number: stored.numberToType,
            deadline: request.deadline
        )
    }

    /// The facts to show: the registered name of the app and the service first, then what the server saw, then the
    /// screen's own claims.
    private func facts(at now: Date) -> [FactLine] {
        var facts: [FactLine] = [.app(client, request.client.provenance)]
        if let domain { facts.append(.service(domain)) }
        if let address = request.address {
            // Over the back channel a server asks, which is nowhere near the person.
            let reader = stored.method.isNamedByClient ? nil : visitorAddress
            facts.append(.address(address, sameAsReader: reader.map { $0 == address.value }))
        }
        if let origin = stored.method.origin { facts.append(.origin(.asserted(origin))) }
        facts.append(.asked(request.asked, at: now))
        if let name = request.deviceName { facts.append(.deviceName(name)) }
        if let software = request.software { facts.append(.software(software)) }
        return facts
    }

    private var permissions: [PermissionLine] {
        let words = request.scope.value.words.map { PermissionLine($0) }
        return domain.map { [PermissionLine(using: $0)] + words } ?? words
    }
}
