/// The question whether to remove a service.
struct DomainRemovalView: Page {
    static let template = PageTemplate.domainRemoval

    /// Who is signed in.
    let personName: String
    /// Goes back as `form_token`.
    let formToken: String
    /// Goes back as `domain`.
    let domain: String
    let displayName: String

    var title: String { "Remove this service?" }
}
