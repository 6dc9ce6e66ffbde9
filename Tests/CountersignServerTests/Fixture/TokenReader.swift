import Countersign
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// A token whose signature was checked by swift-crypto with a key that the server publishes.
struct ReadToken {
    let header: CompactJWS.Header
    let claims: [String: Any]

    func text(_ name: String) -> String? { claims[name] as? String }
    func number(_ name: String) -> Int? { claims[name] as? Int }
    var names: Set<String> { Set(claims.keys) }
}

extension TestServer {
    /// The published keys.
    func keys() async throws -> [JSONWebKey] {
        try await get(path("jwks")).json(JSONWebKeySet.self).keys
    }

    /// Reads a token as any resource server would: by the key that its header names.
    func read(_ token: String) async throws -> ReadToken {
        let jws = try #require(CompactJWS(token))
        let header = try JSONDecoder().decode(CompactJWS.Header.self, from: Data(jws.headerBytes))
        let key = try #require(try await keys().first { $0.keyID == header.keyID })
        #expect(key.algorithm == header.algorithm)
        #expect(try key.verifies(jws))
        let claims = try JSONSerialization.jsonObject(with: Data(jws.payload)) as? [String: Any]
        return ReadToken(header: header, claims: try #require(claims))
    }
}

extension JSONWebKey {
    /// Whether the signature was made by this key.
    func verifies(_ jws: CompactJWS) throws -> Bool {
        switch keyType {
        case "EC":
            let point = try #require(x.flatMap(URLSafeText.decode)) + #require(y.flatMap(URLSafeText.decode))
            return try P256.Signing.PublicKey(rawRepresentation: point).isValidSignature(
                P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
                for: jws.signedBytes
            )
        default:
            return try _RSA.Signing.PublicKey(
                n: #require(modulus.flatMap(URLSafeText.decode)),
                e: #require(exponent.flatMap(URLSafeText.decode))
            ).isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: jws.signature),
                for: jws.signedBytes,
                padding: .insecurePKCS1v1_5
            )
        }
    }
}
