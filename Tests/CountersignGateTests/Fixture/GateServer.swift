import Countersign
import CountersignTesting
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
        var username = "anna"
        var email = "anna@example.com"
        /// Whether the address is known to be the person's.
        var isEmailVerified = true
        var isSignedIn = true
        var isAway = false
        /// The paths at which it gives no answer in time; when one is taken out meanwhile, a late answer.
        var hanging: Set<String> = []
        /// Whether its certificate is not trusted.
        var isUntrusted = false
        /// Whether it takes pushed authorization requests.
        var takesPushes = true
        var redirectURIs: Set = ["http://localhost/gate/callback", "https://films.example.com/gate/callback"]
        /// The scope of the tokens.
        var scope = "openid photos"
        /// Whether another server answers in its place.
        var isMisrouted = false
        var authenticationClass = "urn:countersign:acr:password"
        /// The classes that its metadata name; `nil` for metadata without that.
        var supportedClasses: [String]?
        var authenticated = 1_800_000_000
        /// The nonce of the next ID token.
        var nonce = ""
        var lifetime = 3_600
        var asked: [String: Int] = [:]
    }

    private let key = P256.Signing.PrivateKey()
    private let state = NIOLockedValueBox(State())
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    func change(_ body: (inout State) -> Void) { state.withLockedValue { body(&$0) } }

    /// The number of requests to a path.
    func count(of path: String) -> Int { state.withLockedValue { $0.asked[path] ?? 0 } }

    func send(
        _ request: HTTPRequest, body: [UInt8], within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let target = request.path ?? ""
        let path = String(target.prefix { $0 != "?" })
        let known = state.withLockedValue { state in
            state.asked[path, default: 0] += 1
            return state
        }
        guard !known.isAway else { throw TransportError(.notReached, because: "it is away") }
        if known.hanging.contains(path) {
            try? await clock.sleep(for: limit)
            guard !state.withLockedValue({ $0.hanging.contains(path) }) else {
                throw TransportError(.timedOut, because: "it hangs")
            }
        }
        guard !known.isUntrusted else { throw TransportError(.notTrusted, because: "handshake.cc") }
        guard !known.isMisrouted else { return HTTPAnswer(HTTPResponse(status: .notFound)) }
        switch path {
        case "/.well-known/openid-configuration": return answer(metadata(known))
        case "/jwks": return answer(keys)
        case "/token" where known.isSignedIn: return answer(tokens(known))
        case "/token": return answer(#"{"error":"invalid_grant"}"#, status: .badRequest)
        case "/par": return pushed(body, known)
        case "/authorize": return authorized(target, known)
        case "/introspect": return answer(introspection(known))
        case "/revoke": return answer("{}")
        default: return HTTPAnswer(HTTPResponse(status: .notFound))
        }
    }

    private func answer(_ text: String, status: HTTPResponse.Status = .ok) -> HTTPAnswer {
        HTTPAnswer(
            HTTPResponse(status: status, headerFields: [.contentType: "application/json"]), body: Array(text.utf8))
    }

    private func pushed(_ body: [UInt8], _ known: State) -> HTTPAnswer {
        let form = (try? Form(parsing: body)) ?? Form()
        guard let address = form["redirect_uri"], known.redirectURIs.contains(address) else {
            return answer(
                #"{"error":"invalid_request","error_description":"the redirect_uri is not registered"}"#,
                status: .badRequest)
        }
        return answer(#"{"request_uri":"urn:a","expires_in":60}"#, status: .created)
    }

    /// The answer to a request without a person.
    private func authorized(_ target: String, _ known: State) -> HTTPAnswer {
        let form = (try? Form(parsing: Array(target.drop { $0 != "?" }.dropFirst().utf8))) ?? Form()
        guard form["prompt"] == "none", let address = form["redirect_uri"], known.redirectURIs.contains(address) else {
            return HTTPAnswer(HTTPResponse(status: .badRequest))
        }
        return HTTPAnswer(
            HTTPResponse(status: .found, headerFields: [.location: "\(address)?error=login_required"]))
    }

    private func metadata(_ known: State) -> String {
        let issuer = Self.issuer
        let classes = known.supportedClasses.map { names in
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            return #""acr_values_supported":[\#(list)],"#
        }
        let pushed = known.takesPushes ? #""pushed_authorization_request_endpoint":"\#(issuer)/par","# : ""
        return """
            {"issuer":"\(issuer)",\(classes ?? "")\(pushed)"authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
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
        let seconds = Int(clock.date.timeIntervalSince1970)
        let claims = """
            {"iss":"\(Self.issuer)","sub":"anna-1","aud":"gate","exp":\(seconds + 300),"iat":\(seconds),\
            "nonce":"\(known.nonce)","name":"Änna","preferred_username":"\(known.username)",\
            "email":"\(known.email)","email_verified":\(known.isEmailVerified)}
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
            {"active":true,"token_type":"Bearer","iss":"\(Self.issuer)","sub":"anna-1","username":"\(known.username)",\
            "client_id":"gate","aud":["\(Self.issuer)","https://photos.example.com"],"groups":[\(groups)],"scope":"\(known.scope)",\
            "acr":"\(known.authenticationClass)","auth_time":\(known.authenticated)}
            """
    }
}
