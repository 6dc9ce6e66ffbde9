/// The page that shows the new credential of a service, once.
struct DomainCredentialView: Page {
    static let template = PageTemplate.domainCredential

    let personName: String
    let formToken: String
    let displayName: String
    let domain: String
    /// The credential in the clear.
    let credential: String
    /// The address for the service to present it at.
    let checkAddress: String
    let isNew: Bool

    var title: LocalizedText { .text(isNew ? .domainCredentialAdded : .domainCredentialRenewed) }
}
