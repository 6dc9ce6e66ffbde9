import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Clients that ask for authorization by a browser.
enum TestApps: String, Sendable, CaseIterable {
    /// Confidential, with two claimed addresses.
    case shop
    /// Public, with a claimed address.
    case phone
    /// Public, with a scheme of its own.
    case native
    /// Public, with addresses of this machine.
    case terminal
    /// Confidential, of the organisation itself: people are not asked.
    case intranet
    /// Confidential, has to push its requests.
    case bank

    static let verifier = CodeVerifier(revealing: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")

    var id: ClientID { ClientID(rawValue) }

    var secret: ClientSecret? {
        switch self {
        case .phone, .native, .terminal: nil
        case .shop, .intranet, .bank: ClientSecret(revealing: "\(rawValue)-secret")
        }
    }

    var redirectURIs: [String] {
        switch self {
        case .native: ["org.example.native:/done"]
        case .terminal: ["http://127.0.0.1/callback", "http://[::1]/callback"]
        case .shop: ["https://shop.example/done", "https://shop.example/done?shop=1"]
        default: ["https://\(rawValue).example/done"]
        }
    }

    var credentials: Form {
        var form: Form = ["client_id": rawValue]
        form["client_secret"] = secret?.revealed
        return form
    }

    /// The secret alone, for a request that names the client itself.
    var secretOnly: Form {
        var form = Form()
        form["client_secret"] = secret?.revealed
        return form
    }

    func record(created: Date) -> Client {
        Client(
            id: id,
            name: "The \(rawValue)",
            kind: secret.map { .confidential($0.digest) } ?? .public,
            grantTypes: [.authorizationCode, .refreshToken],
            scope: Scope([.openid, .profile, .email, ScopeWord("play")]),
            tokenFormat: .opaque,
            redirects: RedirectRegistration(
                redirectURIs: redirectURIs,
                postLogoutRedirectURIs: self == .shop ? ["https://shop.example/bye"] : [],
                webOrigins: self == .phone ? [WebOrigin(rawValue: "https://phone.example")] : [],
                consent: self == .intranet ? .skip : .ask,
                requiresPushedRequests: self == .bank
            ),
            created: created
        )
    }

    /// A request for everything that the app usually wants.
    var request: AuthorizationRequest {
        var request = AuthorizationRequest(
            client: id,
            redirectURI: redirectURIs[0],
            challenge: CodeChallenge(of: Self.verifier)
        )
        request.scope = Scope([.openid, .profile])
        request.state = "a state / with signs & spaces"
        request.nonce = "a nonce"
        return request
    }
}

extension TestServer {
    /// Redeems a code.
    func redeem(
        _ code: AuthorizationCode,
        as app: TestApps,
        redirectURI: String?,
        verifier: CodeVerifier? = TestApps.verifier
    ) async throws -> TestResponse {
        let request = TokenRequest.authorizationCode(code, redirectURI: redirectURI, verifier: verifier)
        return try await post(path("token"), try request.form.with(app.credentials))
    }

    /// Redeems a code with everything that belongs to it.
    func redeem(_ code: AuthorizationCode, as app: TestApps) async throws -> TestResponse {
        try await redeem(code, as: app, redirectURI: app.redirectURIs[0])
    }
}

extension TestBrowser {
    /// Opens `/authorize` for a request.
    func authorize(_ request: AuthorizationRequest) async throws -> TestResponse {
        try await get("authorize?\(request.form.encoded)")
    }

    /// Opens `/authorize` and answers on the page that it shows.
    func authorize(_ request: AuthorizationRequest, answering decision: String) async throws -> TestResponse {
        let page = try await authorize(request)
        #expect(page.status == .ok)
        return try await post(
            "authorize/decision",
            ["authorization": page.unescapedField("authorization"), "decision": decision]
        )
    }

    /// A code that the person approved.
    func code(for app: TestApps) async throws -> AuthorizationCode {
        let response = try await authorize(app.request, answering: "approve")
        return try #require(response.authorization?.code)
    }
}

extension TestResponse {
    /// The page without its hidden fields, such as the way back after signing out.
    var visible: String { text.replacing(#/<input type="hidden"[^>]*>/#, with: "") }

    /// The answer to an authorization request that a redirect carries.
    var authorization: AuthorizationResponse? {
        guard let location, let mark = location.firstIndex(of: "?"),
            let form = try? Form(parsing: Array(location[location.index(after: mark)...].utf8))
        else { return nil }
        return try? AuthorizationResponse(form: form)
    }

    /// The value of a field whose text has ampersands.
    func unescapedField(_ name: String) -> String? {
        field(name)?.replacing("&amp;", with: "&").replacing("&#38;", with: "&").replacing("&#61;", with: "=")
            .replacing("&#x3D;", with: "=").replacing("&#43;", with: "+")
    }
}

extension AuthorizationResponse {
    var code: AuthorizationCode? {
        if case .code(let code) = outcome { code } else { nil }
    }

    var error: OAuthError.Code? {
        if case .refused(let error) = outcome { error.code } else { nil }
    }
}
