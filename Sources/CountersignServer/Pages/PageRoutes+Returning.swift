internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension PageRoutes {
    /// The pages that the browser may go to after signing in or out. Some apps append a slash to the address that they
    /// were given.
    private static let returnPages: Set = [
        "/account", PasskeysPage.path, OneTimePasswordPage.path, AuthorizePage.path, "/activate", "/activate/confirm",
        "/cpa/verify", "/cpa/verify/", "/answer", EndSessionPage.path,
        "/admin/domains", "/admin/domains/add", "/admin/domains/change", "/admin/domains/renew",
        "/admin/domains/remove",
        "/admin/environments", "/admin/environments/add", "/admin/environments/change", "/admin/environments/remove",
        "/admin/apps/remove",
    ]

    /// The page of this server that the sender of the current request is on, if it is one that they may return to.
    ///
    /// `PageRoutes` sets it, so that no page has to hand it on.
    @TaskLocal static var current: String?

    /// The field of the form for signing out that names the page to go on to.
    static let afterSignOut = "next"

    /// The page to go to after signing in: the named page if it is one of ours, or the account.
    func returnTarget(_ asked: String?) -> String { ownPage(asked) ?? "/account" }

    /// The named page, if it is one of ours that the browser may be sent to.
    func ownPage(_ asked: String?) -> String? {
        guard var path = asked else { return nil }
        if !issuer.path.isEmpty, path.hasPrefix("\(issuer.path)/") {
            path.removeFirst(issuer.path.count)
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        let page = path.prefix { $0 != "?" && $0 != "#" }
        let isOurs = Self.returnPages.contains(String(page))
        let longest =
            switch page {
            case AuthorizePage.path[...], EndSessionPage.path[...]: Self.longestQuery + 256
            // It leads back to the former, whose address is a parameter of it.
            case PasskeysPage.path[...]: 3 * (Self.longestQuery + 256) + 256
            default: 2048
            }
        return isPlain && isOurs && path.utf8.count <= longest ? path : nil
    }

    /// The request, whose form can be read once more, and the page that its person is on: the one that they open, or
    /// the one whose form they send, with the code, the app or the link that it carries.
    ///
    /// A form that another site sends names no page: nothing leads on from it.
    /// - Throws: ``OAuthError`` for a body that cannot be read; the page itself refuses one that is no form.
    func locate(_ request: Request) async throws -> (request: Request, page: String?) {
        guard request.method == .post else { return (request, ownPage(Self.address(of: request))) }
        guard FormOrigin.isOurs(request, hosts: hosts), request.hasBody(of: Request.formType) else {
            return (request, nil)
        }
        let body = try await request.body(of: Request.formType)
        var request = request
        request.body = RequestBody(buffer: ByteBuffer(body))
        let form = try? Form(parsing: body)
        return (request, form.flatMap { page(behind: $0, sentTo: request.uri.path) })
    }

    /// The address that leads to a page again: without the notice of the account, and without a text that is no code.
    private static func address(of request: Request) -> String {
        let uri = request.uri
        let isNotice = uri.path.hasSuffix("/account")
        let isForCodes = ActivatePage.paths.contains { uri.path.hasSuffix("/\($0)") }
        let isNoCode = uri.queryParameters["user_code"].map { UserCode(parsing: String($0)) == nil } ?? false
        return isNotice || isForCodes && isNoCode ? uri.path : uri.string
    }

    private func page(behind form: Form, sentTo address: String) -> String? {
        if let named = form["return_to"] ?? form[Self.afterSignOut] { return ownPage(named) }
        if let field = form[AuthorizePage.parameters] {
            return ownPage("\(AuthorizePage.path)?\(ShownConsent.split(field).query)")
        }
        if let query = form[EndSessionView.field] { return ownPage("\(EndSessionPage.path)?\(query)") }
        if let link = form[AnswerLink.field].flatMap({ AnswerLink($0) }) { return ownPage(link.path) }
        if let named = RequestReference({ form[$0] }) { return ownPage(named.entrance) }
        let path = address.dropFirst(issuer.path.count)
        return ["/activate", "/account", "/admin/domains", "/admin/environments"].first { path.hasPrefix($0) }
    }

    // MARK: Forms that have expired

    /// The answer to a form that is too old, or whose browser sends no cookie: the person goes on to the page behind it.
    func expired(_ request: Request, on page: String?) async throws -> Response {
        let isOurs = FormOrigin.isOurs(request, hosts: hosts)
        let isForSignIn = request.uri.path.dropFirst(issuer.path.count).hasPrefix("/login")
        if isOurs, isForSignIn, try await visitor(of: request).signedIn != nil {
            // They signed in in another tab.
            return redirect(to: page ?? "/account")
        }
        guard isOurs, FormOrigin.isNamed(by: request), jar.cookie(in: request) == nil else {
            return try html(ProblemView.formExpired(goingOnTo: page), status: .forbidden)
        }
        // A session that has ended takes its cookie with it; only a browser without cookies lacks the next one, too.
        var query = Form()
        query[Self.cookieCheck] = "1"
        query["return_to"] = page
        var response = redirect(to: "/login?\(query.encoded)")
        response.headers[.setCookie] = jar.give(try await visitor(of: request).cookie)
        return response
    }

    /// The parameter of the address of the sign-in page that asks whether the browser keeps cookies.
    static let cookieCheck = "cookies"
}
