import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

// Actions of the tests' clients that prove a key.

extension TestServer {
    /// The header fields of a request that proves `key`, with the token that it presents.
    func proof(
        by key: DPoPKey,
        for method: HTTPRequest.Method = .post,
        at name: String = "token",
        presenting token: AccessToken? = nil,
        nonce: DPoPNonce? = nil
    ) throws -> HTTPFields {
        let target = try #require(DPoPTarget(method, issuer.appending(name)))
        var fields = HTTPFields()
        fields[.dpop] = try key.proof(
            for: target, presenting: token, nonce: nonce, at: clock.date, drawingFrom: .system)
        fields[.authorization] = token.map { DPoPHeader.value(for: $0) }
        return fields
    }

    /// A screen that was signed in and proved `key`.
    func signedIn(_ client: TestClients = .tv, proving key: DPoPKey) async throws -> TokenResponse {
        let codes = try await ask(as: client)
        try await browser(of: .anna).decide("approve", codes)
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(client.form)
        return try await post(path("token"), form, headers: try proof(by: key)).json(TokenResponse.self)
    }

    /// Replaces a refresh token, with these header fields.
    func refresh(
        _ token: RefreshToken?,
        as client: TestClients = .tv,
        headers: HTTPFields
    ) async throws -> TestResponse {
        let form: Form = ["grant_type": "refresh_token", "refresh_token": token?.revealed ?? ""]
        return try await post(path("token"), try form.with(client.form), headers: headers)
    }

    /// Whether `/userinfo` takes a token with a proof of `key`.
    func honours(_ token: AccessToken, provenBy key: DPoPKey) async throws -> Bool {
        let fields = try proof(by: key, for: .get, at: "userinfo", presenting: token)
        return try await get(path("userinfo"), headers: fields).status == .ok
    }

    /// Changes the registration of a client.
    func change(_ client: TestClients, _ edit: @escaping @Sendable (inout Client) -> Void) async throws {
        try await change { repositories in
            var record = try #require(try repositories.clients.find(client.id))
            edit(&record)
            try repositories.clients.update(record)
        }
    }
}

extension TestResponse {
    /// The nonce that the answer gives.
    var nonce: DPoPNonce? { DPoPNonce(in: headers) }
}

/// The key of a client that authenticates by signed statements.
struct AssertionKey: Sendable {
    let key = P256.Signing.PrivateKey()

    var set: JSONWebKeySet {
        let bytes = Array(key.publicKey.rawRepresentation)
        return JSONWebKeySet(keys: [.p256(id: JSONWebKey.ID("one"), x: bytes.prefix(32), y: bytes.suffix(32))])
    }

    /// The form that authenticates `client`.
    func form(
        _ client: String,
        to audience: String,
        id: String = UUID().uuidString,
        at now: Date
    ) throws -> Form {
        let seconds = Int(now.timeIntervalSince1970)
        let claims = """
            {"iss":"\(client)","sub":"\(client)","aud":"\(audience)","jti":"\(id)","iat":\(seconds),"exp":\(seconds + 60)}
            """
        var form = Form()
        form["client_assertion_type"] = UnverifiedClientAssertion.type
        form["client_assertion"] = try signed(claims)
        return form
    }

    /// A statement with these claims and this header, signed.
    func signed(_ claims: String, header: String = #"{"alg":"ES256","kid":"one"}"#) throws -> String {
        try CompactJWS.text(
            header: Array(header.utf8),
            payload: Array(claims.utf8),
            signedBy: { Array(try key.signature(for: Data($0)).rawRepresentation) }
        )
    }
}
