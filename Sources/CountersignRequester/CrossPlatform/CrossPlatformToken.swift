public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token for one service, as an authorization provider issued it to this device.
///
/// Standard: ETSI TS 103 407 §8.4.2; presented to the service as in RFC 6750 §2.1.
public struct CrossPlatformToken: Sendable, Equatable {
    /// Whether a token is for the app on this device or for a person.
    public typealias TokenType = CrossPlatformChallenge.Mode

    /// The token to present to the service, at any of its addresses.
    public let accessToken: AccessToken
    /// The service for which the token is valid.
    public let domain: Domain
    /// The service's name, to be shown to people; `nil` when the provider does not say it.
    public let domainDisplayName: String?
    /// The person's name, to be shown; it does not identify the person, and two people can have the same.
    public let userName: String?
    /// When the token expires, by this device's clock; `nil` when the provider did not say.
    public let expires: Date?
    /// The client as which this device got the token.
    let client: ClientID

    /// Whether it is for a client or a person, according to the answer: a provider may issue another type than was
    /// requested.
    public var type: TokenType { userName == nil ? .client : .user }

    init(
        accessToken: AccessToken,
        domain: Domain,
        domainDisplayName: String?,
        userName: String?,
        expires: Date?,
        client: ClientID
    ) {
        self.accessToken = accessToken
        self.domain = domain
        self.domainDisplayName = domainDisplayName
        self.userName = userName
        self.expires = expires
        self.client = client
    }

    /// A token that arrived at `now`; its names are made safe to show.
    init(_ response: CrossPlatformTokenResponse, for client: ClientID, at now: Date) {
        self.init(
            accessToken: response.accessToken,
            domain: response.domain,
            domainDisplayName: response.domainDisplayName.flatMap { Self.presentable($0) },
            // A person without a name is a person all the same.
            userName: response.userName.map { Self.presentable($0) ?? "" },
            expires: response.expiresIn.map { now.addingTimeInterval(TimeInterval($0)) },
            client: client
        )
    }

    /// Whether the token is valid for at least `span` from `now`, as far as this device knows; a service may refuse it
    /// earlier.
    ///
    /// - Parameters:
    ///   - span: How long it must be valid; no time by default.
    ///   - now: The current time.
    public func lives(forAtLeast span: Duration = .zero, from now: Date) -> Bool {
        expires.map { $0 >= now.addingTimeInterval(span / .seconds(1)) } ?? true
    }

    private static func presentable(_ name: String) -> String? {
        DeviceAuthorizationRequest.presentable(name, upTo: 200)
    }
}
