internal import Countersign
internal import CountersignWire

/// The page that asks before an administrator removes or renews something for good.
struct AdminConfirmationView: Page {
    static let template = PageTemplate.adminConfirmation

    enum Act {
        case removeDomain(ServiceDomain)
        case renewCredential(ServiceDomain)
        case removeCustomerSite(CustomerSite)
        case removeApp(AuthenticatorApp)
    }

    let personName: String
    let formToken: String
    let heading: LocalizedText
    let consequences: LocalizedText
    /// The text of the button that does it.
    let button: LocalizedText
    let name: String
    let identifier: String
    /// Whether the identifier is shown as code.
    let isCode: Bool
    /// The form field with the identifier.
    let field: String
    /// The end of the form's address.
    let action: String
    /// The end of the address that leads back.
    let back: String

    var title: LocalizedText { heading }

    init(_ act: Act, personName: String, formToken: String) {
        self.personName = personName
        self.formToken = formToken
        switch act {
        case .removeDomain(let domain):
            (heading, consequences) = (.text(.domainRemovalTitle), .text(.domainRemovalCareText))
            (button, isCode) = (.text(.domainRemovalRemove), false)
            (name, identifier) = (domain.displayName, domain.name.rawValue)
            (field, action, back) = ("domain", "domains/remove", "domains")
        case .renewCredential(let domain):
            (heading, consequences) = (.text(.domainRenewalTitle), .text(.domainRenewalCareText))
            (button, isCode) = (.text(.domainRenewalRenew), false)
            (name, identifier) = (domain.displayName, domain.name.rawValue)
            (field, action) = ("domain", "domains/renew")
            back = "domains/change?\(DomainEntry.query(naming: domain.name.rawValue))"
        case .removeCustomerSite(let site):
            (heading, consequences) = (.text(.siteRemovalTitle), .text(.siteRemovalCareText))
            (button, isCode) = (.text(.domainRemovalRemove), true)
            (name, identifier) = (site.name, site.id.rawValue)
            (field, action, back) = ("site", "sites/remove", "sites")
        case .removeApp(let app):
            (heading, consequences) = (.text(.appKeyRemovalTitle), .text(.appKeyRemovalCareText))
            (button, isCode) = (.text(.domainRemovalRemove), true)
            (name, identifier) = (app.name, app.key.rawValue)
            (field, action, back) = ("key", "apps/remove", "sites")
        }
    }
}
