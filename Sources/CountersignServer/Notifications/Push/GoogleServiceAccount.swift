internal import CryptoExtras
internal import FoundationEssentialsCompat

/// A service account at Google, from its key file.
public struct GoogleServiceAccount: Sendable {
    /// A problem of a key file.
    public enum ParsingError: String, Error, Sendable {
        /// It is no JSON key of a service account.
        case noAccount = "no key file of a service account"
        /// Its private key cannot be read.
        case noKey = "no RSA key"
        /// Its address for tokens cannot be called.
        case noAddress = "no https address for tokens"
    }

    private struct File: Decodable {
        let project_id: String
        let private_key_id: String?
        let private_key: String
        let client_email: String
        let token_uri: String
    }

    /// The project.
    public let project: String
    /// The account's name, which looks like an e-mail address.
    public let email: String
    let tokenEndpoint: Endpoint
    let tokenAddress: String
    private let keyID: String?
    private let key: _RSA.Signing.PrivateKey

    /// Reads a key file.
    ///
    /// - Parameter file: The bytes of the file from Google.
    /// - Throws: ``ParsingError``.
    public init(_ file: some Sequence<UInt8>) throws(ParsingError) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(file)),
            !file.project_id.isEmpty, file.project_id.utf8.allSatisfy(URLSafeText.isUnreserved)
        else { throw .noAccount }
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: file.private_key) else { throw .noKey }
        guard let endpoint = try? Endpoint(file.token_uri) else { throw .noAddress }
        project = file.project_id
        email = file.client_email
        tokenEndpoint = endpoint
        tokenAddress = file.token_uri
        keyID = file.private_key_id
        self.key = key
    }

    private struct Claims: Encodable {
        let iss, scope, aud: String
        let iat, exp: Int
    }

    /// The assertion for an access token.
    ///
    /// Standard: RFC 7523 §2.1, §3.
    func assertion(at now: Date) throws -> String {
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(
            iss: email,
            scope: "https://www.googleapis.com/auth/firebase.messaging",
            aud: tokenAddress,
            iat: issued,
            exp: issued + 3600
        )
        let header = CompactJWS.Header(
            algorithm: "RS256",
            keyID: keyID.map { JSONWebKey.ID($0) },
            type: "JWT"
        )
        return try CompactJWS.text(
            header: Array(JSONEncoder.wire.encode(header)),
            payload: Array(JSONEncoder.wire.encode(claims)),
            signedBy: { try Array(key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation) }
        )
    }
}
