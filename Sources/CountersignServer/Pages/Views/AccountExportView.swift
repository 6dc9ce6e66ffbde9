/// The page for the export of one's own account.
struct AccountExportView: Page {
    static let template = PageTemplate.accountExport

    let personName: String
    /// The form field `form_token`.
    let formToken: String

    var title: LocalizedText { .text(.exportTitle) }
}
