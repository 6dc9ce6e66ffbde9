internal import Countersign
internal import CountersignServer

extension Store {
    /// A noun as an operator manages it.
    func registry<Noun: Registry>(_ noun: Noun.Type = Noun.self) -> Noun {
        Noun(of: self, mint: CodeMint(drawingFrom: .system), clock: .system)
    }

    var clients: ClientRegistry { registry() }
    var domains: DomainRegistry { registry() }
    var environments: CustomerSiteRegistry { registry() }
    var people: PersonRegistry { registry() }
    var groups: GroupRegistry { registry() }
    var claims: ClaimRegistry { registry() }
    var limits: LimitRegistry { registry() }
    var registrationTokens: RegistrationTokenRegistry { registry() }
    var apps: AuthenticatorAppRegistry { registry() }
}
