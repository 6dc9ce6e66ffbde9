import Countersign
import CountersignTransport
import CountersignWire
import Crypto
import FoundationEssentialsCompat
import NIOConcurrencyHelpers

/// A server that signs in one person, as a test says.
final class GateServer: HTTPTransport {
    static let issuer = "https://id.example.com"

    struct State: Sendable {
        var groups = ["family"]
        var isSignedIn = true
        var isAway = false
        var authenticationClass = "urn:countersign:acr:password"
        var authenticated = 1_800_000_000
        /// The nonce of the next ID token.
        var nonce = ""
        var lifetime = 3_600
        var asked: [String: Int] = [:]
    }

    private let key = P256.Signing.PrivateKey()
    private let state = NIOLockedValueBox(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    func change(_ body: (inout State) -> Void) { state.withLockedValue { body(&$0) } }

    /// The number of requests to a path.
    func count(of path: String) -> Int { state.withLockedValue { $0.asked[path] ?? 0 } }

    func send(
        _ request: HTTPRequest, body: [UInt8], within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let path = request.path ?? ""
        let known = state.withLockedValue { state in
            state.asked[path, default: 0] += 1
            return state
        }
        guard !known.isAway else { throw TransportError(.notReached, because: "it is away") }
        switch path {
        case "/.well-known/openid-configuration": return answer(metadata)
        case "/jwks": return answer(keys)
        case "/token" where known.isSignedIn: return answer(tokens(known))
        case "/token": return answer(#"{"error":"invalid_grant"}"#, status: .badRequest)
        case "/introspect": return answer(introspection(known))
        case "/revoke": return answer("{}")
        default: return HTTPAnswer(HTTPResponse(status: .notFound))
        }
    }

    private func answer(_ text: String, status: HTTPResponse.Status = .ok) -> HTTPAnswer {
        HTTPAnswer(
            HTTPResponse(status: status, headerFields: [.contentType: "application/json"]), body: Array(text.utf8))
    }

    private var metadata: String {
        let issuer = Self.issuer
        return """
            {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
            "introspection_endpoint":"\(issuer)/introspect","jwks_uri":"\(issuer)/jwks",
            "revocation_endpoint":"\(issuer)/revoke","end_session_endpoint":"\(issuer)/end_session"}
            """
    }

    private var keys: String {
        let point = Array(key.publicKey.rawRepresentation)
        let set = JSONWebKeySet(keys: [.p256(id: JSONWebKey.ID("k"), x: point.prefix(32), y: point.suffix(32))])
        return String(decoding: (try? JSONEncoder().encode(set)) ?? Data(), as: UTF8.self)
    }

    private func tokens(_ known: State) -> String {
        let seconds = Int(now().timeIntervalSince1970)
        let claims = """
            {"iss":"\(Self.issuer)","sub":"anna-1","aud":"gate","exp":\(seconds + 300),"iat":\(seconds),\
            "nonce":"\(known.nonce)","name":"Änna","preferred_username":"anna","email":"anna@example.com",\
            "email_verified":true}
            """
        let header = Array(#"{"alg":"ES256","kid":"k","typ":"JWT"}"#.utf8)
        let token = try? CompactJWS.text(header: header, payload: Array(claims.utf8)) {
            Array(try key.signature(for: $0).rawRepresentation)
        }
        return """
            {"access_token":"access","token_type":"Bearer","expires_in":\(known.lifetime),"refresh_token":"refresh",\
            "id_token":"\(token ?? "")"}
            """
    }

    private func introspection(_ known: State) -> String {
        guard known.isSignedIn else { return #"{"active":false}"# }
        let groups = known.groups.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"active":true,"token_type":"Bearer","iss":"\(Self.issuer)","sub":"anna-1","username":"anna","client_id":"gate",\
            "aud":["\(Self.issuer)","https://photos.example.com"],"groups":[\(groups)],"scope":"openid photos",\
            "acr":"\(known.authenticationClass)","auth_time":\(known.authenticated)}
            """
    }
}
