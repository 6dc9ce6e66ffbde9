public import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a screen holds once it is signed in.
public struct SignedIn: Sendable, Equatable {
    /// What to show to a resource server.
    public let accessToken: AccessToken
    /// What to get new access tokens with; each use replaces it.
    public let refreshToken: RefreshToken?
    /// When the access token ends, by this device's clock; `nil` when the server did not say.
    public let expires: Date?
    /// What was granted.
    public let scope: Scope
    /// Who signed in, when that was asked.
    public let identity: VerifiedIdentity?

    /// Puts together what is held.
    public init(
        accessToken: AccessToken,
        refreshToken: RefreshToken?,
        expires: Date?,
        scope: Scope,
        identity: VerifiedIdentity?
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scope = scope
        self.identity = identity
    }

    /// What came for the first time, in answer to a request for `scope`.
    init(_ response: TokenResponse, asked scope: Scope, identity: VerifiedIdentity?, at now: Date) {
        self.init(
            accessToken: response.accessToken,
            refreshToken: response.refreshToken,
            expires: response.expires(from: now),
            scope: response.scope ?? scope,
            identity: identity
        )
    }

    /// The same sign-in with what a refresh brought; what the server left out stays.
    ///
    /// Standard: RFC 6749 §6.
    func refreshed(by response: TokenResponse, at now: Date) -> SignedIn {
        SignedIn(
            accessToken: response.accessToken,
            refreshToken: response.refreshToken ?? refreshToken,
            expires: response.expires(from: now),
            scope: response.scope ?? scope,
            identity: identity
        )
    }
}

extension TokenResponse {
    fileprivate func expires(from now: Date) -> Date? {
        expiresIn.map { now.addingTimeInterval(TimeInterval($0)) }
    }
}
