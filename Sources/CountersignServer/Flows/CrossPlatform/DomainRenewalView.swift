internal import CountersignWire

/// The question whether to renew the credential of a service.
struct DomainRenewalView: Page {
    static let template = PageTemplate.domainRenewal

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The form field `domain`.
    let domain: String
    /// Names the service in the query of an address.
    let query: String
    let displayName: String

    var title: LocalizedText { .text(.domainRenewalTitle) }

    init(personName: String, formToken: String, domain: String, displayName: String) {
        self.personName = personName
        self.formToken = formToken
        self.domain = domain
        query = Self.query(naming: domain)
        self.displayName = displayName
    }

    /// The query that names a service in the address of a page.
    static func query(naming domain: String) -> String {
        var form = Form()
        form["domain"] = domain
        return form.encoded
    }
}
