public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TokenStoreKey {
    /// The key of the sign-in of an app at a server.
    public static func signIn(at issuer: Issuer, as client: ClientID) -> TokenStoreKey {
        TokenStoreKey(.signIn, issuer.text, client.rawValue)
    }
}

extension TokenStore {
    /// The sign-in that is kept under `key`; `nil` when there is none.
    ///
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no sign-in.
    public func signedIn(for key: TokenStoreKey) async throws(TokenStoreError) -> SignedIn? {
        guard let item = try await load(key) else { return nil }
        guard key.kind == .signIn, let kept = try? JSONDecoder().decode(KeptSignIn.self, from: Data(item)) else {
            throw TokenStoreError(.damaged, because: "\(key) is no kept sign-in")
        }
        return kept.signedIn
    }

    /// Keeps a sign-in under `key`, in place of the one that was there.
    public func save(_ signedIn: SignedIn, for key: TokenStoreKey) async throws(TokenStoreError) {
        try await save(KeptSignIn(signedIn).item, for: key)
    }
}

/// A sign-in as it is kept: the only form in which its tokens are encoded.
struct KeptSignIn: Codable, Sendable {
    let accessToken: String
    let refreshToken: String?
    /// Seconds since 1970.
    let expires: Double?
    let scope: String
    let identity: KeptIdentity?

    struct KeptIdentity: Codable, Sendable {
        let issuer: String
        let subject: Subject
        let name: String?
        let username: String?
        let email: String?
    }

    init(_ signedIn: SignedIn) {
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

    /// The bytes to keep.
    var item: [UInt8] {
        get throws(TokenStoreError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            guard let bytes = try? encoder.encode(self) else {
                throw TokenStoreError(.notWritten, because: "the sign-in cannot be written as JSON")
            }
            return Array(bytes)
        }
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
