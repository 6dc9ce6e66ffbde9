public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// A token for one service, as an authorization provider issued it to this device.
///
/// Standard: ETSI TS 103 407 §8.4.2; presented to the service as in RFC 6750 §2.1.
public struct CrossPlatformToken: Sendable, Equatable {
    /// Whether a token is for the app on this device or for a person.
    public typealias TokenType = CrossPlatformChallenge.Mode

    /// The token to present to the service, at any of its addresses.
    public let accessToken: AccessToken
    /// The service that accepts the token.
    public let domain: Domain
    /// The service's display name; `nil` if unknown.
    public let domainDisplayName: String?
    /// The person's name to show to people; it is no identifier, two people can have the same. `nil` also for a person
    /// without a name.
    public let userName: String?
    /// The expiry of the access token, by this device's clock; `nil` if unknown.
    public let expires: Date?
    /// The client as which this device got the token.
    let client: ClientID

    /// Its subject, which may have another type than requested.
    ///
    /// A token that came after a person approved is that person's, whether the provider names them or not. Without an
    /// approval the name in the answer decides, or the token before it where that had no name either.
    public let type: TokenType

    init(
        type: TokenType,
        accessToken: AccessToken,
        domain: Domain,
        domainDisplayName: String?,
        userName: String?,
        expires: Date?,
        client: ClientID
    ) {
        self.type = type
        self.accessToken = accessToken
        self.domain = domain
        self.domainDisplayName = domainDisplayName
        self.userName = userName
        self.expires = expires
        self.client = client
    }

    /// A token from a response that came at `now`; names become fit for a screen.
    init(_ response: CrossPlatformTokenResponse, ofType type: TokenType, for client: ClientID, at now: Date) {
        self.init(
            type: type,
            accessToken: response.accessToken,
            domain: response.domain,
            domainDisplayName: response.domainDisplayName.flatMap { Self.presentable($0) },
            userName: response.userName.flatMap { Self.presentable($0) },
            expires: response.expiresIn.map { now.addingTimeInterval(TimeInterval($0)) },
            client: client
        )
    }

    /// Whether it lives on, as far as this device knows: a service may refuse it before.
    ///
    /// - Parameters:
    ///   - span: The remaining lifetime that it must have; zero by default.
    ///   - now: The date by this device's clock.
    /// - Returns: `true` also for a token whose end is not known.
    public func lives(forAtLeast span: Duration = .zero, from now: Date) -> Bool {
        expires.map { $0 >= now.addingTimeInterval(span / .seconds(1)) } ?? true
    }

    /// The subject of a token for the identity alone, in place of `held`.
    ///
    /// The name distinguishes the cases if the provider names people: a person who has removed the device is not named
    /// any more.
    static func type(
        of response: CrossPlatformTokenResponse,
        for client: ClientID,
        insteadOf held: CrossPlatformToken?
    ) -> TokenType {
        if response.userName != nil { return .user }
        guard let held, held.type == .user, held.client == client else { return .client }
        return held.userName == nil ? .user : .client
    }

    private static func presentable(_ name: String) -> String? {
        DeviceAuthorizationRequest.presentable(name, upTo: 200)
    }
}
