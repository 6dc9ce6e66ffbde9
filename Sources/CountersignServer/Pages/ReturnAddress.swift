internal import Countersign
internal import CountersignWire

/// The address that an app asks the browser to return to when the person has answered. Any link can contain one.
struct UnverifiedReturnAddress: Identifier {
    /// Its name in forms and addresses of this server.
    static let field = "redirect_uri"
    /// The longest text that is kept, in bytes: more than any domain registers.
    private static let limit = 1024

    let rawValue: String

    /// Keeps the first bytes, up to the limit.
    init(rawValue: String) {
        self.rawValue = String(decoding: rawValue.utf8.prefix(Self.limit), as: UTF8.self)
    }

    /// Reads the parameter of a form or an address; `nil` where it is left out or empty.
    init?(parameter: String?) {
        guard let parameter, !parameter.isEmpty else { return nil }
        self.init(rawValue: parameter)
    }
}

/// An external address that the request's domain has registered, so that the browser may be sent there.
///
/// Compared byte by byte, because looser comparisons have sent people to attackers; only the port of the person's own
/// machine and a query may differ (``RedirectURIRules/matches(_:_:)``).
/// Standard: RFC 9700 §4.1.3; ETSI TS 103 407 §8.3 for the result.
struct ReturnAddress: Sendable, Equatable {
    /// The result for the app: whether it may ask for its token now, or need not.
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

    /// The browser's destination after the decision about a request; `nil` when no address was asked for.
    ///
    /// - Throws: ``PageError/strayReturn`` for an address that the request's domain has not registered.
    init?(_ asked: UnverifiedReturnAddress?, for request: SignInRequest, in repositories: any Repositories) throws {
        guard let asked else { return nil }
        guard let domain = try Domains(repositories).asked(by: request),
            let address = Self(verifying: asked, for: domain)
        else { throw PageError.strayReturn }
        self = address
    }

    /// The address with the result added to its query.
    func telling(_ result: Result) -> String {
        "\(text)\(Form.separator(after: text))result=\(result.rawValue)"
    }

    /// The sources in `form-action` of a page's Content Security Policy.
    var formSources: String { RedirectURIRules.formSources(of: text) }
}
