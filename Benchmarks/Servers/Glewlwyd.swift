internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB
internal import TestShell

/// Debian's glewlwyd, another server that does all of this on SQLite, with the best settings.
///
/// WAL, commits in full (SQLite's own setting, which it leaves alone), and the indexes that its token tables lack.
struct Glewlwyd {
    let directory: URL
    let server: ServerProcess

    private static let program = "/usr/bin/glewlwyd"
    private static let schema = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
    private static let indexes = [
        "gpo_access_token(gpor_id)", "gpo_access_token_scope(gpoa_id)", "gpo_refresh_token_scope(gpor_id)",
        "gpo_device_authorization_scope(gpoda_id)", "gpo_device_scheme(gpoda_id)",
    ]
    private let cookie: String
    private static let credentials = "Basic " + Data("bench:bench-secret".utf8).base64EncodedString()

    /// Whether it is installed.
    static var isThere: Bool {
        FileManager.default.isExecutableFile(atPath: program) && FileManager.default.fileExists(atPath: schema)
    }

    init(in directory: URL) throws {
        self.directory = directory
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let port = try ServerProcess.anyPort()
        let database = directory.appendingPathComponent("glewlwyd.db").path
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: try Shell.run("zcat", [Self.schema]))
            for (number, index) in Self.indexes.enumerated() {
                try database.execute(sql: "CREATE INDEX bench_\(number) ON \(index)")
            }
        }
        try queue.close()
        let settings = directory.appendingPathComponent("glewlwyd.conf")
        try Self.settings(port: port.number, database: database, log: directory.appendingPathComponent("own.log").path)
            .write(to: settings, atomically: true, encoding: .utf8)
        server = try ServerProcess(
            "glewlwyd",
            Self.program,
            ["--config-file=\(settings.path)"],
            at: port,
            answering: "/api/auth/",
            log: directory.appendingPathComponent("glewlwyd.log")
        )
        cookie = try Self.signIn(at: server.port)
        try configure()
    }

    /// The cookie of the administrator of every new installation.
    private static func signIn(at port: Int) throws -> String {
        let answer = try PlainHTTP(port: port).post(
            "/api/auth/",
            json: ["username": "admin", "password": "password"]
        )
        guard let cookie = answer.header("Set-Cookie")?.split(separator: ";").first else {
            throw BenchmarkFailure("glewlwyd lets its administrator not in: \(answer.status)")
        }
        return String(cookie)
    }

    private static func settings(port: Int, database: String, log: String) -> String {
        """
        port = \(port)
        bind_address = "127.0.0.1"
        external_url = "http://127.0.0.1:\(port)/"
        login_url = "login.html"
        api_prefix = "api"
        log_mode = "file"
        log_level = "ERROR"
        log_file = "\(log)"
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
        database = { type = "sqlite3" path = "\(database)" };

        """
    }

    /// Its OpenID Connect plugin with a key for ES256, and one client.
    private func configure() throws {
        let http = PlainHTTP(port: server.port)
        let headers = ["Cookie": cookie]
        let key = try Shell.run("openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        let publicKey = try Shell.run("openssl", ["pkey", "-pubout"], input: key)
        let parameters: [String: Any] = [
            "iss": "http://127.0.0.1:\(server.port)", "jwt-type": "ecdsa", "jwt-key-size": "256", "key": key,
            "cert": publicKey, "access-token-duration": 86_400, "refresh-token-duration": 1_209_600,
            "code-duration": 600, "refresh-token-rolling": true, "refresh-token-one-use": "always",
            "allow-non-oidc": true, "auth-type-client-enabled": true, "auth-type-code-enabled": true,
            "auth-type-implicit-enabled": false, "auth-type-none-enabled": false, "auth-type-password-enabled": true,
            "auth-type-refresh-enabled": true, "auth-type-token-enabled": false, "auth-type-device-enabled": true,
            "device-authorization-expiration": 7200, "device-authorization-interval": 1,
            "introspection-revocation-allowed": true, "introspection-revocation-allow-target-client": true,
            "introspection-revocation-auth-scope": [String](), "scope": [String](),
            "additional-parameters": [String](), "claims": [String](), "jwks-show": true, "subject-type": "public",
            "address-claim": ["type": "no"], "name-claim": "no", "email-claim": "no", "scope-claim": "no",
            "pkce-allowed": true, "pkce-method-plain-allowed": false,
        ]
        let client: [String: Any] = [
            "client_id": "bench", "name": "bench", "confidential": true, "client_secret": "bench-secret",
            "password": "bench-secret", "redirect_uri": ["http://127.0.0.1/cb"], "scope": ["g_profile"],
            "token_endpoint_auth_method": ["client_secret_basic"], "enabled": true,
            "authorization_type": ["code", "password", "client_credentials", "refresh_token", "device_authorization"],
        ]
        let plugin: [String: Any] = [
            "module": "oidc", "name": "oidc", "display_name": "oidc", "parameters": parameters,
        ]
        for (path, body) in [("/api/mod/plugin/", plugin), ("/api/client/", client)] {
            let answer = try http.post(path, json: body, headers: headers)
            guard answer.status == 200 else {
                throw BenchmarkFailure("glewlwyd refuses \(path): \(answer.body.prefix(300))")
            }
        }
        let granted = try http.put("/api/auth/grant/bench", json: ["scope": "g_profile"], headers: headers)
        guard granted.status == 200 else { throw BenchmarkFailure("glewlwyd refuses the consent: \(granted.status)") }
    }

    /// Its operations, under the names of ours.
    func loads(batches: Int) throws -> [Load] {
        let deviceCode = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        let tokens = try (0..<500).map { _ in try ask("grant_type=client_credentials&scope=g_profile", "access_token") }
        let codes = try (0..<4_000).map { _ in
            try ask("client_id=bench&scope=g_profile", "device_code", at: "/api/oidc/device_authorization")
        }
        let person = "grant_type=password&scope=g_profile&username=admin&password=password"
        let refresh = try (0..<batches).map { _ in try (0..<100).map { _ in try ask(person, "refresh_token") } }
        let challenge = CodeChallenge(of: Dataset.verifier)
        let asked =
            "/api/oidc/auth?response_type=code&client_id=bench&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&scope=g_profile"
            + "&state=state-of-the-site&nonce=a-nonce&code_challenge=\(challenge)&code_challenge_method=S256&g_continue"
        let cookie = cookie
        return [
            Load(
                name: "authorize, allowed before",
                path: "/api/oidc/auth",
                script: { _ in Script.get(asked, cookie: cookie) }
            ),
            Load(
                name: "authorize, then redeem",
                path: "/api/oidc/auth",
                script: { _ in
                    Script.codes(
                        asked,
                        of: "127.0.0.1:\(server.port)",
                        cookie: cookie,
                        redeeming: "grant_type=authorization_code&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb"
                            + "&code_verifier=\(Dataset.verifier.revealed)&code=",
                        at: "/api/oidc/token",
                        authorization: Self.credentials
                    )
                }
            ),
            posting("introspect", "/api/oidc/introspect", "token=", each: tokens),
            posting(
                "pending poll", "/api/oidc/token", "grant_type=\(deviceCode)&device_code=", each: codes, refused: true),
            posting("client_credentials, ES256", "/api/oidc/token", "grant_type=client_credentials&scope=g_profile"),
            Load(
                name: "refresh, rotating",
                path: "/api/oidc/token",
                script: { batch in
                    Self.list(refresh[(batch - 1) % refresh.count])
                        + Script.refresh(
                            "grant_type=refresh_token&refresh_token=",
                            values: "list[n]",
                            count: 100,
                            authorization: Self.credentials,
                            path: "/api/oidc/token"
                        )
                }
            ),
            posting("device_authorization", "/api/oidc/device_authorization", "client_id=bench&scope=g_profile"),
        ]
    }

    private func ask(_ form: String, _ member: String, at path: String = "/api/oidc/token") throws -> String {
        let headers = ["Authorization": Self.credentials]
        let answer = try PlainHTTP(port: server.port).post(path, form: form, headers: headers)
        guard let value = answer.member(member) as? String else {
            throw BenchmarkFailure("glewlwyd gives no \(member): \(answer.status) \(answer.body.prefix(300))")
        }
        return value
    }

    private func posting(_ name: String, _ path: String, _ form: String) -> Load {
        Load(name: name, path: path, script: { _ in Script.post(form, authorization: Self.credentials) })
    }

    private func posting(
        _ name: String,
        _ path: String,
        _ form: String,
        each values: [String],
        refused: Bool = false
    ) -> Load {
        let script =
            Self.list(values)
            + Script.post(
                form,
                values: "list[n]",
                count: values.count,
                authorization: Self.credentials,
                path: path
            )
        return Load(name: name, path: path, expectsRefusal: refused, script: { _ in script })
    }

    private static func list(_ values: [String]) -> String {
        "local list = {\(values.map { "\"\($0)\"" }.joined(separator: ","))}\n"
    }
}
