internal import Crypto
internal import FoundationEssentialsCompat

/// A JWT by HS256 with a secret that two servers share: the form of all webhook notifications.
///
/// Standard: RFC 7515 §3.1; RFC 7518 §3.2.
enum SharedSecretToken {
    /// The payload of a token whose signature and times are right.
    static func payload<Payload: Decodable>(
        of text: String,
        by secret: some Secret,
        as type: Payload.Type,
        at now: Date,
        times: (Payload) -> (issued: Int, expires: Int)
    ) throws(CustomerSiteToken.VerificationError) -> Payload {
        guard text.utf8.count <= CustomerSiteToken.longest, let parts = CompactJWS(text),
            let header = CompactJWS.Header(reading: parts.headerBytes), header.algorithm == "HS256",
            header.critical == nil
        else { throw .malformed }
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        guard HMAC<SHA256>.isValidAuthenticationCode(parts.signature, authenticating: parts.signedBytes, using: key)
        else { throw .signature }
        guard let payload = try? JSONDecoder().decode(type, from: Data(parts.payload)) else { throw .malformed }
        let (issued, expires) = times(payload)
        let seconds = now.timeIntervalSince1970
        guard Double(expires) > seconds - Double(CustomerSiteToken.leeway),
            Double(issued) <= seconds + Double(CustomerSiteToken.leeway)
        else { throw .time }
        return payload
    }

    /// Writes a token.
    static func text(of payload: [UInt8], by secret: some Secret) -> String {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        return CompactJWS.text(
            header: Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8),
            payload: payload,
            signedBy: { Array(HMAC<SHA256>.authenticationCode(for: $0, using: key)) }
        )
    }
}
