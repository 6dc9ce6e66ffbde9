internal import Countersign
internal import Foundation

/// The screen that asks, as the person who decides is shown it.
struct AskingScreen: Sendable {
    let request: SignInRequest
    let client: Client
    /// The service that the request is for, where it names one.
    let domain: ServiceDomain?
    /// From where the person who decides is seen.
    let visitorAddress: String?

    /// The page that asks for the decision.
    func confirmation(of named: NamedRequest, for visitor: SignedInVisitor, at now: Date) -> ConfirmView {
        ConfirmView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            named: named,
            facts: facts(at: now),
            permissions: permissions,
            deadline: request.deadline,
            at: now
        )
    }

    /// What is known of it: the app by the name it is registered under and the service, then what was seen, then its
    /// own words.
    private func facts(at now: Date) -> [ShownFact] {
        var facts: [ShownFact] = [.app(Fact(client.name, client.provenanceOfName(request.client.provenance)))]
        if let domain { facts.append(.service(domain)) }
        if let address = request.address {
            facts.append(.address(address, sameAsReader: visitorAddress.map { $0 == address.value }))
        }
        facts.append(.asked(request.asked, at: now))
        if let name = request.deviceName { facts.append(.deviceName(name)) }
        if let software = request.software { facts.append(.software(software)) }
        return facts
    }

    private var permissions: [ShownPermission] {
        let words = request.scope.value.words.map { ShownPermission($0) }
        return domain.map { [ShownPermission(using: $0)] + words } ?? words
    }
}
