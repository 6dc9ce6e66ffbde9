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

/// A registered return address of the request's domain.
///
/// Compared byte by byte, except the port of a loopback address and a query (``RedirectURIRules/matches(_:_:)``).
/// Standard: RFC 9700 §4.1.3; ETSI TS 103 407 §8.3 for the result.
struct ReturnAddress: Sendable, Equatable {
    /// The result for the app: whether it can request its token.
    enum Result: String, Sendable {
        case success, cancelled
    }

    private let text: String

    /// Creates it if the domain has registered the address; `nil` otherwise.
    init?(verifying asked: UnverifiedReturnAddress, for domain: ServiceDomain) {
        let allowed = [RedirectURIRules.insideApp, RedirectURIRules.onThisMachine] + domain.redirectURIs
        guard allowed.contains(where: { RedirectURIRules.matches(asked.rawValue, $0) }) else { return nil }
        text = asked.rawValue
    }

    /// The return address of a request; `nil` for none.
    ///
    /// - Throws: ``PageError/strayReturn`` for an unregistered address.
    init?(_ asked: UnverifiedReturnAddress?, for request: SignInRequest, in repositories: any Repositories) throws {
        guard let asked else { return nil }
        guard let domain = try Domains(repositories).asked(by: request),
            let address = Self(verifying: asked, for: domain)
        else { throw PageError.strayReturn }
        self = address
    }

    /// The address with the result in its query.
    func telling(_ result: Result) -> String {
        "\(text)\(Form.separator(after: text))result=\(result.rawValue)"
    }

    /// The sources in `form-action` of a page's Content Security Policy.
    var formSources: String { RedirectURIRules.formSources(of: text) }
}
