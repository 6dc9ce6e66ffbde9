internal import Countersign
internal import Foundation

/// The operations of Countersign that are measured.
enum Loads {
    static func all(issuer: String) -> [Load] { reads + writes }

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
                        values: "string.format('%043d', n)",
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
                    values: "string.format('access-%036d', n)",
                    count: count,
                    authorization: basic(Dataset.service),
                    path: "/introspect"
                )
            }
        )
    }

    /// Tokens that are requested rarely, so that the server's row cache does not help.
    static func introspectionAnywhere(among count: Int) -> Load {
        Load(
            name: "introspect, any",
            path: "/introspect",
            script: { _ in
                Script.random(
                    "token=",
                    values: "string.format('access-%036d', n)",
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
                overGlewlwyd: 5,
                script: { _ in
                    Script.post("grant_type=client_credentials", authorization: basic(Dataset.signedWorker))
                }
            ),
            Load(
                name: "refresh, rotating",
                path: "/token",
                target: .rate(10_000),
                overGlewlwyd: 5,
                script: { batch in
                    Script.refresh(
                        "client_id=screen&grant_type=refresh_token&refresh_token=",
                        values: "string.format('refresh-\(batch)-%030d', n)",
                        count: Dataset.refreshTokens,
                        path: "/token"
                    )
                }
            ),
            Load(
                name: "device_authorization",
                path: "/device_authorization",
                target: .rate(10_000),
                overGlewlwyd: 5,
                script: { _ in Script.post("client_id=screen&scope=openid+profile") }
            ),
        ]
    }

    static func basic(_ client: ClientID) -> String {
        "Basic " + Data("\(client):\(Dataset.secret.revealed)".utf8).base64EncodedString()
    }
}
