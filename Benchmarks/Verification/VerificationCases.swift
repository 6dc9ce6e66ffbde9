internal import Countersign
internal import CountersignWire
internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import HTTPTypes

/// One verification, and the bare check of the signature in it.
struct VerificationCase {
    let name: String
    /// A keyed digest costs so little that reading the request always costs more.
    var hasTarget = true
    let bare: () throws -> Void
    let whole: () throws -> Void
}

/// The verifications that are measured: each begins with text as it arrives.
enum VerificationCases {
    struct NotVerified: Error {}

    static func all() throws -> [VerificationCase] {
        let elliptic = P256.Signing.PrivateKey()
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let primitives = try rsa.publicKey.getKeyPrimitives()
        let published = JSONWebKeySet(keys: [
            .p256(
                id: JSONWebKey.ID("p256"),
                x: elliptic.publicKey.rawRepresentation.prefix(32),
                y: elliptic.publicKey.rawRepresentation.suffix(32)),
            .rsa(id: JSONWebKey.ID("rsa"), modulus: primitives.modulus, exponent: primitives.publicExponent),
        ])
        return [
            try idToken(.es256, "p256", published) { try Array(elliptic.signature(for: $0).rawRepresentation) },
            try idToken(.rs256, "rsa", published) {
                try Array(rsa.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation)
            },
            try oauth1(.rsaSHA256(try key(rsa)), published.keys[1]),
            try oauth1(.rsaSHA1(try key(rsa)), published.keys[1]),
            try oauth1(.hmacSHA256, nil),
            try oauth1(.hmacSHA1, nil),
        ]
    }

    // MARK: ID tokens

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let issuer = "https://accounts.example.com"
    private static let client = ClientID("1234987819200.apps.example.com")

    private static func idToken(
        _ algorithm: SigningAlgorithm,
        _ keyID: String,
        _ published: JSONWebKeySet,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> VerificationCase {
        let claims = """
            {"iss":"\(issuer)","azp":"\(client)","aud":"\(client)","sub":"10769150350006150715113082367",\
            "at_hash":"HK6E_P6Dh8Y93mRNtsDB1Q","hd":"example.com","email":"jane@example.com","email_verified":true,\
            "iat":1800000000,"exp":1800003600,"nonce":"0394852-3190485-2490358","name":"Jane Smith",\
            "picture":"https://pictures.example.com/jane","given_name":"Jane","family_name":"Smith","locale":"en"}
            """
        let header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(keyID)","typ":"JWT"}"#
        let text = try CompactJWS.text(header: Array(header.utf8), payload: Array(claims.utf8), signedBy: sign)
        let demands = ParsedIDToken.Demands(issuer: issuer, clients: [client], nonce: "0394852-3190485-2490358")
        guard let parts = CompactJWS(text), let key = published.key(for: algorithm, named: JSONWebKey.ID(keyID))
        else { throw NotVerified() }
        return VerificationCase(
            name: "ID token, \(algorithm.rawValue)",
            bare: {
                guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else { throw NotVerified() }
            },
            whole: {
                let read = try ParsedIDToken(UnverifiedIDToken(revealing: text))
                let key = published.key(for: read.algorithm, named: read.keyID)
                _ = try read.verified(by: key, meeting: demands, at: now)
            }
        )
    }

    // MARK: OAuth 1

    private static func key(_ key: _RSA.Signing.PrivateKey) throws -> OAuth1SigningKey {
        guard let key = OAuth1SigningKey(pem: key.pemRepresentation) else { throw NotVerified() }
        return key
    }

    private static func oauth1(
        _ signing: OAuth1Signer.Signing,
        _ publicKey: JSONWebKey?
    ) throws -> VerificationCase {
        let app = ClientCredentials(
            client: ClientID("dpf43f3p2l4k3l03"), secret: OAuth1Secret(revealing: "kd94hf93k423kf44"))
        let token = TokenCredentials(
            token: OAuth1Token("nnch734d00sl2jdk"), secret: OAuth1Secret(revealing: "pfkkdhi9sl3r4s00"))
        let time = TimeSource(reading: { Moment(instant: .now, date: now) }, sleeping: { _ in })
        let address = "https://photos.example.net/photos?size=original&file=vacation.jpg"
        let signer = OAuth1Signer(as: app, for: token, by: signing, clock: time, drawingFrom: .system)
        let signed = try signer.sign(OAuth1Request(.get, address))
        let header = signed.header
        let keys = OAuth1VerificationKeys(clientSecret: app.secret, publicKey: publicKey, tokenSecret: token.secret)
        let covered = Array(signed.baseString.text.utf8)
        let accepted: Set = [signing.method]
        let secret = SymmetricKey(data: Array("\(app.secret.revealed)&\(token.secret.revealed)".utf8))
        let bare: () throws -> Void
        switch signing {
        case .hmacSHA1: bare = { _ = HMAC<Insecure.SHA1>.authenticationCode(for: covered, using: secret) }
        case .hmacSHA256: bare = { _ = HMAC<SHA256>.authenticationCode(for: covered, using: secret) }
        case .rsaSHA1, .rsaSHA256, .plaintext:
            let made = try rsaSignature(of: signed)
            guard let key = publicKey.map(VerificationKey.init) else { throw NotVerified() }
            bare = {
                guard signing.method.verifies(made, over: covered, by: key) else { throw NotVerified() }
            }
        }
        return VerificationCase(
            name: "OAuth 1, \(signing.method.rawValue)",
            hasTarget: publicKey != nil,
            bare: bare,
            whole: {
                let unverified = try UnverifiedOAuth1Request(OAuth1Request(.get, address), authorization: header)
                _ = try unverified.verified(by: keys, accepting: accepted, at: now)
            }
        )
    }

    private static func rsaSignature(of signed: SignedOAuth1Request) throws -> [UInt8] {
        let header = try OAuth1Header(parsing: signed.header)
        guard let text = header.parameters.first(where: { $0.name == "oauth_signature" })?.value,
            let bytes = Base64.decode(text[...])
        else { throw NotVerified() }
        return bytes
    }
}
