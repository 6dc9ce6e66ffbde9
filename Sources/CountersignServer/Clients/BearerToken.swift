internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

extension Request {
    /// The access token in the header; `nil` where there is none, or more than one header.
    ///
    /// Standard: RFC 6750 §2.1.
    var bearerToken: AccessToken? {
        let values = headers[values: .authorization]
        guard values.count == 1 else { return nil }
        return BearerHeader.token(in: values[0])
    }
}

extension Response {
    /// The answer to a request without a valid access token; `scope` is the scope that it needs.
    ///
    /// Standard: RFC 6750 §3: without a token no error is named.
    static func bearerChallenge(_ error: OAuthError? = nil, scope: ScopeWord? = nil) -> Response {
        let needed = error?.code == .insufficientScope ? scope.map { ["scope=\"\($0)\""] } : nil
        let value = AuthenticationChallenge.bearer(
            realm: "countersign", error: error?.code, description: error?.description, needed ?? [])
        return Response(
            status: error?.status ?? .unauthorized,
            headers: [.wwwAuthenticate: value, .cacheControl: "no-store"]
        )
    }
}
