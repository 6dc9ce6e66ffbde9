public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The tokens of a screen that is signed in, and the person.
///
/// It is a snapshot: a ``TokenRefresher`` renews the tokens, and returns a new value each time. It does not print its
/// tokens.
public struct CompletedSignIn: Sendable, Equatable {
    /// The token to present to resource servers.
    public let accessToken: AccessToken
    /// The token for getting new access tokens; each use replaces it. `nil` when the server issued none.
    public let refreshToken: RefreshToken?
    /// The expiry of the access token, by this device's clock; `nil` if unknown.
    public let expires: Date?
    /// The granted scope.
    public let scope: Scope
    /// The part of the requested scope that was not granted; empty when all was. It is not stored: a sign-in that is read
    /// from a store has none.
    ///
    /// Standard: RFC 6749 §5.1.
    public private(set) var notGranted = Scope.none
    /// The person who signed in; `nil` when that was not asked for.
    public let identity: VerifiedIdentity?
    /// The key that the tokens are bound to; `nil` for bearer tokens.
    ///
    /// Standard: RFC 9449 §5.
    public let key: DPoPKey?
    /// The date when the sign-in ends by itself, by this device's clock, because its person chose so; `nil` when it has no
    /// such end.
    public private(set) var ends: Date?
    /// The server's statement about the person, as it came; `nil` when there was none.
    package private(set) var idToken: UnverifiedIDToken?
    /// The arrival of the tokens, by this device's clock; `nil` when it is not known.
    private(set) var received: Date?

    /// Creates a value from its parts, for tests and for apps with their own storage.
    public init(
        accessToken: AccessToken,
        refreshToken: RefreshToken?,
        expires: Date?,
        scope: Scope,
        identity: VerifiedIdentity?,
        key: DPoPKey? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scope = scope
        self.identity = identity
        self.key = key
    }

    /// The tokens of a first answer, to a request for `scope` that proved `key`.
    init(
        _ response: TokenResponse,
        asked scope: Scope,
        identity: VerifiedIdentity?,
        proving key: DPoPKey?,
        at now: Date
    ) {
        self.init(
            accessToken: response.accessToken,
            refreshToken: response.refreshToken,
            expires: response.expires(from: now),
            scope: response.scope ?? scope,
            identity: identity,
            key: response.isBound ? key : nil
        )
        received = now
        idToken = response.idToken
        ends = response.ends(from: now)
        notGranted = withheld(of: scope)
    }

    /// The same, for an app that asks for `scope` now.
    func compared(to scope: Scope) -> CompletedSignIn {
        var signedIn = self
        signedIn.notGranted = withheld(of: scope)
        return signedIn
    }

    /// The part of a requested scope that the tokens do not have. A refresh token grants `offline_access`, also where the
    /// server does not list it.
    private func withheld(of asked: Scope) -> Scope {
        Scope(
            asked.words.filter { word in
                !scope.contains(word) && !(word == .offlineAccess && refreshToken != nil)
            })
    }

    /// The person, as somebody whom this screen may remember; `nil` when they did not choose that, or were not verified.
    ///
    /// ```swift
    /// screen.rememberedPerson = signedIn.rememberedPerson
    /// ```
    public var rememberedPerson: RememberedPerson? { RememberedPerson(identity, statedBy: idToken) }

    /// The same, as it arrived at `date`, with the statement about the person that came with it, and the end that they
    /// chose.
    func received(at date: Date?, with idToken: UnverifiedIDToken?, ending ends: Date?) -> CompletedSignIn {
        var signedIn = self
        signedIn.received = date
        signedIn.idToken = idToken
        signedIn.ends = ends
        return signedIn
    }

    /// The expiry of an access token that a service has refused, so that it is renewed before its next use.
    static let refused = Date(timeIntervalSince1970: 0)

    /// Whether a service has refused the access token, so that it has to be renewed.
    package var isToBeRenewed: Bool { expires == Self.refused }

    /// Whether the time is over that the person chose.
    package func isOver(at now: Date) -> Bool { ends.map { $0 <= now } ?? false }

    /// The same sign-in with the result of a refresh; what the server left out stays, and so does the statement about the
    /// person in place of one about another.
    ///
    /// Standard: RFC 6749 §6; OpenID Connect Core 1.0 §12.2.
    func refreshed(by response: TokenResponse, at now: Date) -> CompletedSignIn {
        CompletedSignIn(
            accessToken: response.accessToken,
            refreshToken: response.refreshToken ?? refreshToken,
            expires: response.expires(from: now),
            scope: response.scope ?? scope,
            identity: identity,
            key: key
        )
        .received(
            at: now, with: response.idToken.flatMap { $0.states(identity) ? $0 : nil } ?? idToken,
            ending: response.ends(from: now) ?? ends)
    }

    /// The tokens of an answer to a request for a part of the scope; only the whole sign-in has the refresh token.
    func part(_ response: TokenResponse, asked part: Scope, at now: Date) -> CompletedSignIn {
        CompletedSignIn(
            accessToken: response.accessToken,
            refreshToken: nil,
            expires: response.expires(from: now),
            scope: response.scope ?? part,
            identity: identity,
            key: key
        )
        .received(
            at: now, with: response.idToken.flatMap { $0.states(identity) ? $0 : nil },
            ending: response.ends(from: now) ?? ends)
    }

    /// The whole sign-in after such an answer.
    func continued(by response: TokenResponse, at now: Date) -> CompletedSignIn {
        CompletedSignIn(
            accessToken: accessToken,
            refreshToken: response.refreshToken ?? refreshToken,
            expires: expires,
            scope: scope,
            identity: identity,
            key: key
        )
        .received(at: received, with: idToken, ending: response.ends(from: now) ?? ends)
    }

    /// Whether the access token lives until `instant`; `true` when its lifetime is unknown.
    ///
    /// Of one that arrived before the clock was set back, that is not known.
    package func lives(until instant: Date, at now: Date) -> Bool {
        guard let expires else { return true }
        let arrived = received ?? now
        return expires >= instant && arrived <= now + Date.clockTolerance
    }

    /// Compares the tokens and the person, whenever they arrived.
    public static func == (left: CompletedSignIn, right: CompletedSignIn) -> Bool {
        left.accessToken == right.accessToken && left.refreshToken == right.refreshToken
            && left.expires == right.expires && left.scope == right.scope && left.identity == right.identity
            && left.key == right.key
    }
}

extension TokenResponse {
    fileprivate func expires(from now: Date) -> Date? {
        expiresIn.map { now.addingTimeInterval(TimeInterval($0)) }
    }

    /// The end of the authorization, by the choice of its person.
    fileprivate func ends(from now: Date) -> Date? {
        authorizationExpiresIn.map { now.addingTimeInterval(TimeInterval($0)) }
    }
}
