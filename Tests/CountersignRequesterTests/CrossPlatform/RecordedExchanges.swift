import CountersignTesting
import HTTPTypes

/// One request to a provider and its answer, as they were seen in 2015 between an app and the provider of a
/// broadcaster; secrets and codes are others here.
struct RecordedExchange: Sendable {
    static let identity = #"{"client_id":"407","client_secret":"d6d2f5a1c3f94e7f8b0a9e6c5d4b3a29"}"#
    static let domain = "cpa.rts.example"

    let path: String
    /// The members of the request, as JSON with sorted names.
    let request: String
    let status: Int
    let response: String

    /// The answer, as a scripted transport gives it.
    var reply: ScriptedTransport.Reply {
        .text(
            response,
            type: "application/json; charset=utf-8",
            status: HTTPResponse.Status(code: status),
            fields: [.cacheControl: "no-store"]
        )
    }

    static let registerClient = RecordedExchange(
        path: "/register",
        request: #"""
            {"client_name":"Test Client","software_id":"ch.ebu.cpa.tests","software_version":"1.0"}
            """#,
        status: 201,
        response: identity
    )

    static let requestCode = RecordedExchange(
        path: "/associate",
        request: credentials(),
        status: 200,
        response: #"""
            {"device_code":"197bf88c-749a-42e2-93f0-e206bac2252f","user_code":"AfZQNVkR",
            "verification_uri":"https://cpa.rts.example","interval":5,"expires_in":3599}
            """#
    )

    static let requestCodeInvalidClient = RecordedExchange(
        path: "/associate",
        request: credentials(),
        status: 400,
        response: invalidClient
    )

    static let requestClientToken = RecordedExchange(
        path: "/token",
        request: credentials(clientCredentials),
        status: 200,
        response: token(lifetime: 2_591_999)
    )

    static let requestClientTokenInvalidClient = RecordedExchange(
        path: "/token",
        request: credentials(clientCredentials),
        status: 400,
        response: invalidClient
    )

    static let requestUserToken = polled(200, token(user: "Maria Muster", lifetime: 2_591_998))
    static let requestUserTokenPending = polled(202, #"{"reason":"authorization_pending"}"#)
    static let requestUserTokenDenied = polled(
        400,
        #"{"error":"cancelled","error_description":"User denied access"}"#
    )
    static let requestUserTokenExpired = polled(
        400,
        #"{"error":"expired","error_description":"Pairing code expired"}"#
    )
    static let requestUserTokenInvalidClient = polled(400, invalidClient)
    static let requestUserTokenSlowDown = polled(
        400,
        #"{"error":"slow_down","error_description":"Polling too frequently"}"#
    )

    static let refreshTokenClient = RecordedExchange(
        path: "/token",
        request: credentials(clientCredentials),
        status: 200,
        response: token("2f9b03b1cd4b4d0d9c9ba4d2f25d0c5f", lifetime: 2_591_999)
    )

    static let refreshTokenUser = RecordedExchange(
        path: "/token",
        request: credentials(clientCredentials),
        status: 200,
        response: token("5c1f3bb0a9e7482f8d6d2c81b5be9d10", user: "Maria Muster", lifetime: 2_591_999)
    )

    static let refreshTokenWithNull = RecordedExchange(
        path: "/token",
        request: credentials(clientCredentials),
        status: 200,
        response: #"""
            {"access_token":null,"token_type":null,"expires_in":null,"domain":null,"domain_display_name":null,
            "user_name":null,"scope":null}
            """#
    )

    private static let clientCredentials = #""grant_type":"http://tech.ebu.ch/cpa/1.0/client_credentials""#
    private static let invalidClient = #"{"error":"invalid_client","error_description":"Client not found"}"#

    private static func polled(_ status: Int, _ response: String) -> RecordedExchange {
        RecordedExchange(
            path: "/token",
            request: #"""
                {"client_id":"407","client_secret":"d6d2f5a1c3f94e7f8b0a9e6c5d4b3a29",\#
                "device_code":"197bf88c-749a-42e2-93f0-e206bac2252f","domain":"\#(domain)",\#
                "grant_type":"http://tech.ebu.ch/cpa/1.0/device_code"}
                """#,
            status: status,
            response: response
        )
    }

    private static func credentials(_ more: String? = nil) -> String {
        let last = more.map { ",\($0)" } ?? ""
        return #"{"client_id":"407","client_secret":"d6d2f5a1c3f94e7f8b0a9e6c5d4b3a29","domain":"\#(domain)"\#(last)}"#
    }

    private static func token(
        _ value: String = "bd4b7be7f2a94f7f8b0d8d0cbb8e7a31",
        user: String? = nil,
        lifetime: Int
    ) -> String {
        let name = user.map { #""user_name":"\#($0)","# } ?? ""
        return #"""
            {\#(name)"access_token":"\#(value)","token_type":"bearer","expires_in":\#(lifetime),\#
            "domain":"\#(domain)","domain_display_name":"RTS"}
            """#
    }
}
