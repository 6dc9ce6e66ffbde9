import CommandFixture
import Foundation
import TestShell
import Testing

/// A server that takes certificates of clients, and curl as such a client.
private struct CertificateServer {
    let command: CommandUnderTest
    let serving: RunningCommand
    let base: String
    let aliases: String

    /// Starts it, with `ca` as the authority of clients; `pay` and `hall` have certificates of it.
    static func start() async throws -> CertificateServer {
        let command = try CommandUnderTest()
        let made = try await command.run(
            """
            set -e
            printf '[req]\\ndistinguished_name=dn\\n[dn]\\n' > openssl.cnf
            make() { name=$1; shift; openssl req -x509 -config openssl.cnf -newkey ec -nodes -days 2 \
                -pkeyopt ec_paramgen_curve:prime256v1 -keyout $name.key -out $name.pem "$@" 2>/dev/null; chmod 600 $name.key; }
            make server -subj /CN=localhost -addext subjectAltName=DNS:localhost
            make ca -subj "/CN=The authority" -addext basicConstraints=critical,CA:TRUE
            make others -subj "/CN=The authority" -addext basicConstraints=critical,CA:TRUE
            make pay -CA ca.pem -CAkey ca.key -subj "/C=DE/O=Example, Inc./CN=pay" -addext extendedKeyUsage=clientAuth
            make hall -CA ca.pem -CAkey ca.key -subj "/CN=hall" -addext subjectAltName=DNS:hall.example
            make pretender -CA others.pem -CAkey others.key -subj "/C=DE/O=Example, Inc./CN=pay"
            make own -subj "/CN=own"
            add() { countersign admin client add "$@" --grant client_credentials --scope play; }
            add pay --certificate-subject 'CN=pay,O=Example\\, Inc.,C=DE' --dpop certificate
            add hall --certificate-dns hall.example
            add own --certificate own.pem
            countersign admin client add desk --certificate own.pem --grant ciba --dpop certificate
            countersign admin client add radio --confidential --no-grants --serves localhost --json | \
                sed -n 's/.*"client_secret" : "\\(.*\\)".*/\\1/p' > radio.secret
            """
        )
        #expect(made.status == 0, "\(made.output)")
        let serving = try command.start(
            """
            exec countersign serve --listen 127.0.0.1:0 --tls-certificate server.pem --tls-key server.key \
            --client-certificates ca.pem --client-certificates-listen 127.0.0.1:0
            """
        )
        let addresses = try await serving.addresses()
        let listener = try #require(serving.printed.firstMatch(of: /certificates are answered on 127.0.0.1:(\d+)\./))
        return CertificateServer(
            command: command,
            serving: serving,
            base: addresses.issuer,
            aliases: "https://localhost:\(listener.1)"
        )
    }

    /// The output of curl: the body, and the status in a line of its own.
    func curl(_ address: String, _ options: String = "") async throws -> String {
        try await command.run("curl -sS --cacert server.pem -w '\\n%{http_code}' \(options) \(address)").output
    }

    /// Asks for a token of `client`, with the certificate of `holder` if there is one.
    func token(of client: String, holding holder: String?, _ options: String = "") async throws -> String {
        let proof = holder.map { "--cert \($0).pem --key \($0).key" } ?? ""
        return try await curl(
            "\(aliases)/token", "\(proof) -d grant_type=client_credentials -d client_id=\(client) \(options)")
    }

    func stop() async throws {
        serving.signal(SIGTERM)
        #expect(try await serving.finish().status == 0)
    }
}

/// Standard: RFC 8705.
@Suite("A server to which clients prove certificates")
struct ClientCertificateTests {
    @Test func `gives tokens to those whose certificates it knows, and to nobody else`() async throws {
        let server = try await CertificateServer.start()
        for client in ["pay", "hall", "own"] {
            let answer = try await server.token(of: client, holding: client)
            #expect(answer.contains("access_token") && answer.hasSuffix("\n200"), "\(client): \(answer)")
        }
        let refused: [(client: String, holder: String?, options: String)] = [
            ("pay", nil, ""), ("pay", "hall", ""), ("pay", "pretender", ""), ("pay", "own", ""), ("hall", "pay", ""),
            ("own", "pay", ""), ("nobody", "pay", ""),
            ("pay", "pay", "-d client_secret=guess"),
            // Header fields of proxies, which are not trusted here.
            ("pay", nil, "-H \"X-Client-Cert: $(base64 -w0 pay.pem)\" -H 'X-SSL-Client-Verify: SUCCESS'"),
            ("pay", nil, "-H \"Client-Cert: :$(openssl x509 -in pay.pem -outform DER | base64 -w0):\""),
        ]
        for (client, holder, options) in refused {
            let answer = try await server.token(of: client, holding: holder, options)
            #expect(
                answer.contains("invalid_client") && answer.hasSuffix("\n401"), "\(client), \(holder ?? ""): \(answer)")
        }
        // The address for everybody asks for no certificate.
        let elsewhere = try await server.curl(
            "\(server.base)/token", "--cert pay.pem --key pay.key -d grant_type=client_credentials -d client_id=pay")
        #expect(elsewhere.contains("invalid_client"), "\(elsewhere)")
        try await server.stop()
    }

    /// Standard: OpenID CIBA Core 1.0 §7.1; RFC 8705 §5.
    @Test func `lets them ask over the back channel by their certificates`() async throws {
        let server = try await CertificateServer.start()
        let asked = "-d client_id=desk -d scope=openid -d login_hint=nobody"
        let own = "--cert own.pem --key own.key"
        let answer = try await server.curl("\(server.aliases)/bc-authorize", "\(own) \(asked)")
        let request = try #require(answer.firstMatch(of: /"auth_req_id":"([^"]+)"/), "\(answer)").1
        for proof in ["", "--cert pay.pem --key pay.key"] {
            let refused = try await server.curl("\(server.aliases)/bc-authorize", "\(proof) \(asked)")
            #expect(refused.contains("invalid_client") && refused.hasSuffix("\n401"), "\(refused)")
        }
        let grant = "-d grant_type=urn:openid:params:grant-type:ciba -d auth_req_id=\(request) -d client_id=desk"
        let pending = try await server.curl("\(server.aliases)/token", "\(own) \(grant)")
        #expect(pending.contains("authorization_pending"), "\(pending)")
        for base in [server.aliases, server.base] {
            #expect(try await server.curl("\(base)/token", grant).contains("invalid_client"))
        }
        try await server.stop()
    }

    @Test func `binds tokens to the certificate, and tells so`() async throws {
        let server = try await CertificateServer.start()
        let issued = try await server.command.run(
            """
            curl -sS --cacert server.pem --cert pay.pem --key pay.key -d grant_type=client_credentials -d client_id=pay \
            \(server.aliases)/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/' > token; \
            openssl x509 -in pay.pem -outform DER | openssl dgst -sha256 -binary | basenc --base64url | tr -d = > digest
            """
        )
        #expect(issued.status == 0, "\(issued.output)")
        let told = try await server.command.run(
            """
            curl -sS --cacert server.pem --cert pay.pem --key pay.key -d client_id=pay -d token=$(cat token) \
            \(server.aliases)/introspect | grep -F "\\"cnf\\":{\\"x5t#S256\\":\\"$(cat digest)\\"}" | grep -c Bearer
            """
        )
        #expect(told.output == "1\n", "\(told.output)")
        // A token for no person has no user info, with its certificate; without it, it is no good at all.
        let bearer = "-H \"Authorization: Bearer $(cat token)\""
        for proof in ["", "--cert hall.pem --key hall.key"] {
            let answer = try await server.curl("\(server.aliases)/userinfo", "-i \(proof) \(bearer)")
            #expect(answer.contains("invalid_token"), "\(answer)")
        }
        let mixed = try await server.token(of: "pay", holding: "pay", "-H 'DPoP: x'")
        #expect(mixed.contains("invalid_"), "\(mixed)")
        try await server.stop()
    }

    @Test func `names these addresses in its metadata, and answers no pages there`() async throws {
        let server = try await CertificateServer.start()
        let metadata = try await server.curl("\(server.base)/.well-known/openid-configuration").replacing(
            "\\/", with: "/")
        #expect(metadata.contains("\"mtls_endpoint_aliases\":{"), "\(metadata)")
        #expect(metadata.contains("\"token_endpoint\":\"\(server.aliases)/token\""))
        #expect(metadata.contains("\"backchannel_authentication_endpoint\":\"\(server.aliases)/bc-authorize\""))
        #expect(metadata.contains("\"tls_client_auth\"") && metadata.contains("\"self_signed_tls_client_auth\""))
        #expect(metadata.contains("\"tls_client_certificate_bound_access_tokens\":true"))
        for path in ["login", "authorize", "jwks", "account"] {
            #expect(try await server.curl("\(server.aliases)/\(path)").hasSuffix("\n404"))
        }
        try await server.stop()
    }

    @Test func `needs TLS of its own, and an address of its own`() async throws {
        let command = try CommandUnderTest()
        let alone = try await command.run("countersign serve --client-certificates ca.pem")
        #expect(alone.status != 0 && alone.output.contains("go together"), "\(alone.output)")
        let plain = try await command.run(
            "countersign serve --client-certificates ca.pem --client-certificates-listen 127.0.0.1:0")
        #expect(plain.status != 0 && plain.output.contains("needs TLS of the server's own"), "\(plain.output)")
    }
}
