import Countersign
import CountersignServer
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOCore
import TestShell

/// Debian's glewlwyd: an OpenID provider that others wrote, with a public client and an administrator who is signed in.
struct GlewlwydProvider {
    static let program = "/usr/bin/glewlwyd"
    static let schema = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
    static let client = ClientID("recipes")
    static let redirectURI = "com.example.recipes:/signed-in"

    /// Whether it is installed.
    static var exists: Bool {
        FileManager.default.isExecutableFile(atPath: program) && FileManager.default.fileExists(atPath: schema)
    }

    /// The provider's name: the address of its OpenID Connect plugin.
    let issuer: Issuer
    private let base: String
    private let cookie: String

    /// Runs the provider for as long as `body` takes.
    static func with(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (GlewlwydProvider) async throws -> Void
    ) async throws {
        let place = FileManager.default.temporaryDirectory.appending(component: "countersign-glewlwyd-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        // It wants to be told its port; it is kept for it until then.
        let port = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
        let base = "http://127.0.0.1:\(port.number)"
        let settings = place.appending(component: "glewlwyd.conf")
        try Data(configuration(at: base, port: port.number, in: place).utf8).write(to: settings)
        _ = try Shell.run("zcat \(schema) | sqlite3 \(place.path)/glewlwyd.db")
        let program = try LoggedProgram(
            program,
            ["--config-file=\(settings.path)"],
            printingTo: place.appending(component: "glewlwyd.log")
        )
        do {
            try await ExampleProgram.answers("127.0.0.1:\(port.number)")
            try await body(try await configured(at: base))
        } catch {
            program.signal(SIGTERM)
            _ = try? await program.ended()
            throw error
        }
        program.signal(SIGTERM)
        _ = try await program.ended()
    }

    /// Goes on to the app, as the provider's page does when the person has answered.
    ///
    /// - Returns: The address of the app that the browser is sent to.
    func authorize(_ address: String) async throws -> String {
        let answer = try await LoopbackHTTP.get("\(address)&g_continue", [.cookie: cookie])
        guard let location = answer.response.headerFields[.location] else {
            throw Refused(status: answer.response.status)
        }
        return location
    }

    /// Registers a client, which the administrator lets sign people in.
    ///
    /// - Parameter secret: Its secret; `nil` for a public client.
    func add(_ client: ClientID, secret: ClientSecret? = nil, returningTo redirectURI: String) async throws {
        var app: [String: Any] = [
            "client_id": client.rawValue, "name": client.rawValue, "confidential": secret != nil,
            "redirect_uri": [redirectURI], "scope": ["openid"],
            "token_endpoint_auth_method": [secret == nil ? "none" : "client_secret_basic"], "enabled": true,
            "authorization_type": ["code", "refresh_token"],
        ]
        if let secret { app["client_secret"] = secret.revealed }
        _ = try await Self.send(.post, "\(base)/api/client/", app, cookie: cookie)
        _ = try await Self.send(.put, "\(base)/api/auth/grant/\(client)", ["scope": "openid"], cookie: cookie)
    }

    struct Refused: Error {
        let status: HTTPResponse.Status
    }

    private static func configured(at base: String) async throws -> GlewlwydProvider {
        // The administrator of every new installation.
        let signedIn = try await send(
            .post, "\(base)/api/auth/", ["username": "admin", "password": "password"], cookie: "")
        let cookie = String((signedIn.response.headerFields[.setCookie] ?? "").prefix { $0 != ";" })
        let issuer = "\(base)/api/oidc"
        let key = try Shell.run("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256")
        let publicKey = try Shell.run("openssl", ["pkey", "-pubout"], input: key)
        let parameters: [String: Any] = [
            "iss": issuer, "jwt-type": "ecdsa", "jwt-key-size": "256", "key": key, "cert": publicKey,
            "access-token-duration": 600, "refresh-token-duration": 86_400, "code-duration": 600,
            "refresh-token-rolling": true, "allow-non-oidc": true, "auth-type-client-enabled": false,
            "auth-type-code-enabled": true, "auth-type-implicit-enabled": false, "auth-type-none-enabled": false,
            "auth-type-password-enabled": false, "auth-type-refresh-enabled": true, "auth-type-token-enabled": false,
            "auth-type-device-enabled": false, "introspection-revocation-allowed": false, "scope": [String](),
            "additional-parameters": [String](), "claims": [String](), "jwks-show": true, "subject-type": "public",
            "address-claim": ["type": "no"], "name-claim": "no", "email-claim": "no", "scope-claim": "no",
            "pkce-allowed": true, "pkce-method-plain-allowed": false,
        ]
        let plugin: [String: Any] = [
            "module": "oidc", "name": "oidc", "display_name": "oidc", "parameters": parameters,
        ]
        let person: [String: Any] = [
            "username": "admin", "name": "The Administrator", "scope": ["g_admin", "g_profile", "openid"],
            "enabled": true,
        ]
        _ = try await send(.post, "\(base)/api/mod/plugin/", plugin, cookie: cookie)
        _ = try await send(.put, "\(base)/api/user/admin", person, cookie: cookie)
        let provider = GlewlwydProvider(issuer: try Issuer(issuer), base: base, cookie: cookie)
        try await provider.add(client, returningTo: redirectURI)
        return provider
    }

    private static func send(
        _ method: HTTPRequest.Method,
        _ address: String,
        _ body: [String: Any],
        cookie: String
    ) async throws -> HTTPAnswer {
        var request = try Endpoint(address).request(method)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.cookie] = cookie
        let answer = try await AsyncHTTPTransport().send(
            request,
            body: Array(try JSONSerialization.data(withJSONObject: body)),
            within: .seconds(30)
        )
        guard answer.response.status == .ok else { throw Refused(status: answer.response.status) }
        return answer
    }

    private static func configuration(at base: String, port: Int, in place: URL) -> String {
        """
        port = \(port)
        bind_address = "127.0.0.1"
        external_url = "\(base)"
        login_url = "login.html"
        api_prefix = "api"
        log_mode = "file"
        log_level = "ERROR"
        log_file = "\(place.path)/own.log"
        cookie_secure = 0
        session_expiration = 2419200
        session_key = "GLEWLWYD2_SESSION_ID"
        admin_scope = "g_admin"
        profile_scope = "g_profile"
        user_module_path = "/usr/lib/glewlwyd/user"
        client_module_path = "/usr/lib/glewlwyd/client"
        user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
        plugin_module_path = "/usr/lib/glewlwyd/plugin"
        hash_algorithm = "SHA512"
        database = { type = "sqlite3" path = "\(place.path)/glewlwyd.db" };

        """
    }
}
