/// A page that the browser may return to after a sign-in or sign-out.
struct ReturnPage: Sendable {
    /// The paths of the page and its forms, below the issuer.
    let paths: Set<String>
    /// The maximum length of an address of it, in bytes.
    var longest = 2048
    /// The path of the page and the prefix of its forms; `nil` for a page whose forms contain its address.
    var root: String?
    /// The address of the page behind one of its forms; `nil` for the forms of other pages.
    var behind: @Sendable (Form) -> String? = { _ in nil }
    /// The app of the request in an address of the page; `nil` for none.
    var askingApp: @Sendable (_ query: String, PageRoutes) async throws -> RequestingApp? = { _, _ in nil }
    /// Whether the query belongs to the address of the page.
    var keepsQuery: @Sendable ([String: String]) -> Bool = { _ in true }

    /// The pages of an account.
    static let ofAccount = [
        ReturnPage(paths: ["/account"], root: "/account", keepsQuery: { _ in false }),
        OneTimePasswordPage.returns, PasswordPage.returns, EmailPage.returns, PasskeysPage.returns,
        EndSessionPage.returns, TimeZonePage.returns, AccountExportPage.returns, AccountDeletionPage.returns,
    ]
}
