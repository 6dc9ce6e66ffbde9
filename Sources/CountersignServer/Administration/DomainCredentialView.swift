/// A service's new credential, which is shown this once.
struct DomainCredentialView: Page {
    static let template = PageTemplate.domainCredential

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    let displayName: String
    let domain: String
    /// In the clear: this is the page that gives it out.
    let credential: String
    /// The address for the service to present it at.
    let checkAddress: String
    let isNew: Bool

    var title: LocalizedText { .text(isNew ? .domainCredentialAdded : .domainCredentialRenewed) }
}
