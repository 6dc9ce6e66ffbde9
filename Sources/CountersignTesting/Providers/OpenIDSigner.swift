internal import Countersign
internal import Crypto
internal import CryptoExtras
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One key of a fake provider.
struct OpenIDSigner: Sendable {
    let number: Int
    private let elliptic = P256.Signing.PrivateKey()
    private let rsa: _RSA.Signing.PrivateKey?

    init(number: Int, isRSA: Bool = false) {
        self.number = number
        rsa = isRSA ? try? _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
    }

    /// The name of the key (`kid`).
    var id: String { "key-\(number)" }
    /// The algorithm with which it signs.
    var algorithm: String { rsa == nil ? "ES256" : "RS256" }

    /// The public half, as it is published.
    var published: JSONMember {
        var members: [String: JSONMember] = ["use": "sig", "kid": .string(id), "alg": .string(algorithm)]
        if let parts = try? rsa?.publicKey.getKeyPrimitives() {
            members["kty"] = "RSA"
            members["n"] = .string(URLSafeText.encode(parts.modulus))
            members["e"] = .string(URLSafeText.encode(parts.publicExponent))
        } else {
            let point = Array(elliptic.publicKey.rawRepresentation)
            members["kty"] = "EC"
            members["crv"] = "P-256"
            members["x"] = .string(URLSafeText.encode(point.prefix(32)))
            members["y"] = .string(URLSafeText.encode(point.suffix(32)))
        }
        return .object(members)
    }

    /// A token with these claims.
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - named: The key that the header names; this one unless it is given.
    func token(_ claims: [String: JSONMember], named: String? = nil) -> String {
        let header: [String: JSONMember] = ["alg": .string(algorithm), "typ": "JWT", "kid": .string(named ?? id)]
        let signed = Self.joined(header, claims)
        let bytes = Data(signed.utf8)
        let signature: [UInt8]
        if let rsa {
            let made = try? rsa.signature(for: bytes, padding: .insecurePKCS1v1_5)
            signature = made.map { Array($0.rawRepresentation) } ?? []
        } else {
            signature = (try? elliptic.signature(for: bytes)).map { Array($0.rawRepresentation) } ?? []
        }
        return "\(signed).\(URLSafeText.encode(signature))"
    }

    /// A token that claims to need no signature.
    static func unsignedToken(_ claims: [String: JSONMember]) -> String {
        joined(["alg": "none", "typ": "JWT"], claims) + "."
    }

    /// A token by HS256 whose secret is the published key.
    func tokenByPublicKey(_ claims: [String: JSONMember]) -> String {
        let signed = Self.joined(["alg": "HS256", "typ": "JWT", "kid": .string(id)], claims)
        let key = SymmetricKey(data: Array(published.text.utf8))
        return "\(signed).\(URLSafeText.encode(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)))"
    }

    private static func joined(_ header: [String: JSONMember], _ claims: [String: JSONMember]) -> String {
        [header, claims].map { URLSafeText.encode(Array(JSONMember.object($0).text.utf8)) }.joined(separator: ".")
    }
}
