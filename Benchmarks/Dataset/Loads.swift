internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// The operations of Countersign that are measured.
enum Loads {
    static var reads: [Load] {
        [
            introspection(of: Dataset.accessTokens),
            Load(
                name: "pending poll",
                path: "/token",
                target: .ofBare(0.7),
                overGlewlwyd: 6,
                expectsRefusal: true,
                rows: Dataset.pendingCodes,
                script: { _ in
                    Script.post(
                        "client_id=screen&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=",
                        values: Dataset.deviceCodeInLua,
                        count: Dataset.pendingCodes,
                        path: "/token"
                    )
                }
            ),
            Load(
                name: "metadata",
                path: "/.well-known/oauth-authorization-server",
                target: .ofBare(0.7),
                script: { _ in Script.get() }
            ),
            Load(name: "keys", path: "/jwks", target: .ofBare(0.7), script: { _ in Script.get() }),
        ]
    }

    static func introspection(of count: Int) -> Load {
        Load(
            name: "introspect",
            path: "/introspect",
            target: .ofBare(0.7),
            overGlewlwyd: 6,
            rows: count,
            script: { _ in
                Script.post(
                    "token=",
                    values: Dataset.accessTokenInLua,
                    count: count,
                    authorization: basic(Dataset.service),
                    path: "/introspect"
                )
            }
        )
    }

    /// The name of what ``introspectionAnywhere(among:)`` measures.
    static let anywhere = "introspect, any"

    /// Tokens that are requested rarely, so that the server's row cache does not help.
    static func introspectionAnywhere(among count: Int) -> Load {
        Load(
            name: Self.anywhere,
            path: "/introspect",
            target: .rate(30_000),
            script: { _ in
                Script.random(
                    "token=",
                    values: Dataset.accessTokenInLua,
                    count: count,
                    authorization: basic(Dataset.service),
                    path: "/introspect"
                )
            }
        )
    }

    static var writes: [Load] {
        [
            Load(
                name: "client_credentials, opaque",
                path: "/token",
                target: .rate(10_000),
                overGlewlwyd: 5,
                script: { _ in
                    Script.post("grant_type=client_credentials", authorization: basic(Dataset.opaqueWorker))
                }
            ),
            Load(
                name: "client_credentials, ES256",
                path: "/token",
                target: .rate(10_000),
                overGlewlwyd: 8,
                script: { _ in
                    Script.post("grant_type=client_credentials", authorization: basic(Dataset.signedWorker))
                }
            ),
            Load(
                name: "refresh, rotating",
                path: "/token",
                target: .rate(10_000),
                targetOnPostgreSQL: .rate(6_000),
                mostCost: 120,
                overGlewlwyd: 8,
                script: { batch in
                    Script.refresh(
                        "client_id=screen&grant_type=refresh_token&refresh_token=",
                        values: Dataset.refreshTokenInLua(batch: batch),
                        count: Dataset.refreshTokens,
                        path: "/token"
                    )
                }
            ),
            Load(
                name: "device_authorization",
                path: "/device_authorization",
                target: .rate(10_000),
                targetOnPostgreSQL: .rate(6_000),
                mostCost: 100,
                overGlewlwyd: 8,
                script: { _ in Script.post("client_id=screen&scope=openid+profile") }
            ),
        ]
    }

    /// Refreshes of tokens that are bound to a key, each with a proof of it that was made before the run.
    static func boundRefresh(at issuer: String, for seconds: Int) -> Load {
        Load(
            name: "refresh, with DPoP",
            path: "/token",
            script: { batch in
                Script.refresh(
                    "client_id=screen&grant_type=refresh_token&refresh_token=",
                    values: Dataset.refreshTokenInLua(batch: batch, bound: true),
                    count: Dataset.refreshTokens,
                    proofs: try proofs(seconds * 20_000, issuer: issuer),
                    path: "/token"
                )
            }
        )
    }

    /// A browser of a person who allowed the site before comes for a code, and the site redeems it; each is a request.
    static func authorization(at server: ServerProcess) -> [Load] {
        let challenge = CodeChallenge(of: Dataset.verifier)
        var asked = AuthorizationRequest(
            client: Dataset.site,
            redirectURI: Dataset.siteAddress,
            challenge: challenge
        )
        asked.scope = Scope([.openid, .profile])
        asked.state = "state-of-the-site"
        let path = "/authorize?\(asked.form.encoded)"
        let cookie = "countersign-\(server.port)=\(Dataset.cookie.revealed)"
        return [
            Load(
                name: "authorize, allowed before",
                path: "/authorize",
                target: .rate(5_000),
                overGlewlwyd: 5,
                script: { _ in Script.get(path, cookie: cookie) }
            ),
            Load(
                name: "authorize, then redeem",
                path: "/authorize",
                overGlewlwyd: 5,
                script: { _ in
                    Script.codes(
                        path,
                        of: "127.0.0.1:\(server.port)",
                        cookie: cookie,
                        redeeming: "grant_type=authorization_code&redirect_uri=https%3A%2F%2Fsite.example.com%2Fdone"
                            + "&code_verifier=\(Dataset.verifier.revealed)&code=",
                        at: "/token",
                        authorization: basic(Dataset.site)
                    )
                }
            ),
        ]
    }

    /// Writes so many new proofs for the token endpoint, one in a line, and returns the file's path; a proof is old
    /// after two minutes.
    private static func proofs(_ count: Int, issuer: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-proofs-\(getpid())")
        guard let target = DPoPTarget(.post, "\(issuer)/token") else {
            throw BenchmarkFailure("\(issuer) is no address")
        }
        let now = Date.now
        let lines = try (0..<count).map { _ in
            try Dataset.key.proof(for: target, at: now, drawingFrom: .system)
        }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    static func basic(_ client: ClientID) -> String {
        "Basic " + Data("\(client):\(Dataset.secret.revealed)".utf8).base64EncodedString()
    }
}
