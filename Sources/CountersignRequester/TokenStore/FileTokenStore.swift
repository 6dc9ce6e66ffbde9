internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps each sign-in in a file of its own that only this user can read.
///
/// The tokens are in the clear: whoever reads as this user reads them. Files have mode 0600 from the moment they
/// exist, a directory that the store makes 0700; a file is replaced whole, so that a crash leaves the old one or the new one.
public actor FileTokenStore: TokenStore {
    private let directory: PrivateDirectory

    /// A store in the directory at `path`, which is made when it is first needed.
    public init(directory path: String) {
        directory = PrivateDirectory(path: path)
    }

    public func load(_ key: TokenStoreKey) throws -> SignedIn? {
        guard let bytes = try directory.read(Self.name(key)) else { return nil }
        guard let kept = try? JSONDecoder().decode(KeptSignIn.self, from: Data(bytes)), kept.belongs(to: key) else {
            throw TokenStoreError(.damaged, because: "\(Self.name(key)) in \(directory.path) is no kept sign-in")
        }
        return kept.signedIn
    }

    public func save(_ signedIn: SignedIn, for key: TokenStoreKey) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let bytes = try? encoder.encode(KeptSignIn(signedIn, for: key)) else {
            throw TokenStoreError(.notWritten, because: "the sign-in cannot be written as JSON")
        }
        try directory.replace(Self.name(key), by: Array(bytes))
    }

    public func remove(_ key: TokenStoreKey) throws {
        try directory.remove(Self.name(key))
    }

    /// A file name that holds whatever characters an issuer and a client id may have.
    private static func name(_ key: TokenStoreKey) -> String {
        let digest = SecretDigest(of: "\(key.issuer.text)\n\(key.client)")
        return "\(URLSafeText.encode(digest.bytes.prefix(18))).json"
    }
}

/// A sign-in as it is written into a file: the only form in which tokens are encoded.
private struct KeptSignIn: Codable {
    let issuer: String
    let client: ClientID
    let accessToken: String
    let refreshToken: String?
    /// Seconds since 1970.
    let expires: Double?
    let scope: String
    let identity: KeptIdentity?

    struct KeptIdentity: Codable {
        let issuer: String
        let subject: Subject
        let name: String?
        let username: String?
        let email: String?
    }

    init(_ signedIn: SignedIn, for key: TokenStoreKey) {
        issuer = key.issuer.text
        client = key.client
        accessToken = signedIn.accessToken.revealed
        refreshToken = signedIn.refreshToken?.revealed
        expires = signedIn.expires?.timeIntervalSince1970
        scope = signedIn.scope.description
        identity = signedIn.identity.map { identity in
            KeptIdentity(
                issuer: identity.issuer,
                subject: identity.subject,
                name: identity.name,
                username: identity.username,
                email: identity.email
            )
        }
    }

    func belongs(to key: TokenStoreKey) -> Bool {
        issuer == key.issuer.text && client == key.client
    }

    var signedIn: SignedIn {
        SignedIn(
            accessToken: AccessToken(revealing: accessToken),
            refreshToken: refreshToken.map(RefreshToken.init(revealing:)),
            expires: expires.map(Date.init(timeIntervalSince1970:)),
            scope: Scope(parsing: scope) ?? .none,
            identity: identity.map { kept in
                VerifiedIdentity(
                    restoring: kept.issuer,
                    subject: kept.subject,
                    name: kept.name,
                    username: kept.username,
                    email: kept.email
                )
            }
        )
    }
}
