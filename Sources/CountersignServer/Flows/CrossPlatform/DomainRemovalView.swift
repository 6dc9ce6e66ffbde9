/// The question whether to remove a service.
struct DomainRemovalView: Page {
    static let template = PageTemplate.domainRemoval

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The form field `domain`.
    let domain: String
    let displayName: String

    var title: LocalizedText { .text(.domainRemovalTitle) }
}
