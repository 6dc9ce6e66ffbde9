internal import CountersignWire

/// A page that the browser may go to after signing in or out, as its own file declares it.
struct ReturnPage: Sendable {
    /// The paths of the page and its forms, below the issuer.
    let paths: Set<String>
    /// The maximum length of an address of it, in bytes.
    var longest = 2048
    /// The path that those of all its forms begin with, and that shows the page again; `nil` for a page that its forms
    /// name themselves.
    var root: String?
    /// The address of the page behind one of its forms; `nil` for the forms of other pages.
    var behind: @Sendable (Form) -> String? = { _ in nil }
    /// The app that the person goes on to from an address of the page; `nil` for none.
    var askingApp: @Sendable (_ query: String, PageRoutes) async throws -> RequestingApp? = { _, _ in nil }
    /// Whether the query of an address leads to the page again; it is left out where it does not.
    var keepsQuery: @Sendable ([String: String]) -> Bool = { _ in true }

    /// The pages of an account, which are there for every way in.
    static let ofAccount = [
        ReturnPage(paths: ["/account"], root: "/account", keepsQuery: { _ in false }),
        OneTimePasswordPage.returns, PasskeysPage.returns, EndSessionPage.returns,
    ]
}
