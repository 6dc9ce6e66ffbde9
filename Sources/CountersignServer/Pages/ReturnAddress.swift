/// The requested return address of an app. Any link can contain one.
struct UnverifiedReturnAddress: Identifier {
    /// Its name in forms and addresses of this server.
    static let field = "redirect_uri"
    /// The maximum length in bytes, more than that of registered addresses.
    private static let limit = 1024

    let rawValue: String

    /// Truncates the text to the limit.
    init(rawValue: String) {
        self.rawValue = String(decoding: rawValue.utf8.prefix(Self.limit), as: UTF8.self)
    }

    /// Reads a parameter; `nil` if it is absent or empty.
    init?(parameter: String?) {
        guard let parameter, !parameter.isEmpty else { return nil }
        self.init(rawValue: parameter)
    }
}

/// The address that the browser returns to after a decision: one that the request's domain registered, or the way back
/// to the screen on whose device the browser is.
///
/// The first is compared byte by byte, except the port of a loopback address and a query
/// (``RedirectURIRules/matches(_:_:)``).
/// Standard: RFC 9700 §4.1.3; ETSI TS 103 407 §8.3 for the result; RFC 8252 §7.3.
enum ReturnAddress: Sendable, Equatable {
    /// The result for the app: whether it can request its token.
    enum Result: String, Sendable {
        case success, cancelled
    }

    /// An address of an app that asks for a token of a service.
    case service(String)
    /// The screen's own device; the link ties an approval to it.
    case screen(BrowserReturn, link: NearbyLinkID?)

    /// Creates an address of a service if its domain has registered it; `nil` otherwise.
    init?(verifying asked: UnverifiedReturnAddress, for domain: ServiceDomain) {
        let allowed = [RedirectURIRules.insideApp, RedirectURIRules.onThisMachine] + domain.redirectURIs
        guard allowed.contains(where: { RedirectURIRules.matches(asked.rawValue, $0) }) else { return nil }
        self = .service(asked.rawValue)
    }

    /// The return address of a request; `nil` for none.
    ///
    /// - Throws: ``PageError/strayReturn`` for an address that is neither the screen's own nor registered.
    init?(_ asked: UnverifiedReturnAddress?, for stored: SignInExchangeRecord, in repositories: any Repositories) throws
    {
        guard let asked else { return nil }
        if let screen = stored.method.browserReturn, screen.redirectURI.text == asked.rawValue {
            self = .screen(screen, link: stored.exchange.link)
            return
        }
        guard let domain = try Domains(repositories).asked(by: stored.exchange.request),
            let address = Self(verifying: asked, for: domain)
        else { throw PageError.strayReturn }
        self = address
    }

    /// The address with the result in its query.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - issuer: This server.
    func telling(_ result: Result, from issuer: Issuer) -> String {
        switch self {
        case .service(let text): (["result": result.rawValue] as Form).location(at: text)
        case .screen(let screen, link: let link):
            BrowserReturnResponse(
                result == .success
                    ? link.map { .approved(over: $0) } ?? .refused(.expiredToken) : .refused(.accessDenied),
                state: screen.state,
                issuer: issuer.text
            ).form.location(at: screen.redirectURI.text)
        }
    }

    /// The sources in `form-action` of a page's Content Security Policy.
    var formSources: String {
        switch self {
        case .service(let text): RedirectURIRules.formSources(of: text)
        case .screen(let screen, link: _): RedirectURIRules.formSources(of: screen.redirectURI.text)
        }
    }
}
