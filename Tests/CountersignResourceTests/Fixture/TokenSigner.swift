import Countersign
import CountersignWire
import Crypto
import CryptoExtras

import FoundationEssentialsCompat

/// An issuer that signs whatever a test wants.
struct TokenSigner {
    let key = P256.Signing.PrivateKey()
    var id = JSONWebKey.ID("a-key")

    var publicKey: JSONWebKey {
        let bytes = Array(key.publicKey.rawRepresentation)
        return .p256(id: id, x: bytes.prefix(32), y: bytes.suffix(32))
    }

    /// A token with this header and these claims, signed by ES256 unless another way to sign is given.
    func token(
        _ claims: String,
        header: String? = nil,
        signedBy sign: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let header = header ?? #"{"alg":"ES256","kid":"\#(id)","typ":"at+jwt"}"#
        let sign = sign ?? { Array(try key.signature(for: $0).rawRepresentation) }
        return try CompactJWS.text(header: Array(header.utf8), payload: Array(claims.utf8), signedBy: sign)
    }
}
