public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token for one service, as an authorization provider gave it to this device.
///
/// Standard: ETSI TS 103 407 §8.4.2; shown to the service as RFC 6750 §2.1 says.
public struct CrossPlatformToken: Sendable, Equatable {
    /// For whom a token is: the app on this device, or a person.
    public typealias TokenType = CrossPlatformChallenge.Mode

    /// What to show to the service, at any of its addresses.
    public let accessToken: AccessToken
    /// The service.
    public let domain: Domain
    /// What people are shown as the service's name, if the provider says it.
    public let domainDisplayName: String?
    /// What people are shown as the person's name; it identifies nobody, and two people can have the same.
    public let userName: String?
    /// When the token ends, by this device's clock; `nil` when the provider did not say.
    public let expires: Date?
    /// As what this device was known to the provider when it got the token.
    let client: ClientID

    /// For whom it is, as the answer showed: a provider may answer with another type than was asked for.
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

    /// What came at `now`; names become fit for a screen.
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

    /// Whether it is good for at least `span` from `now`, as far as this device knows: a service may refuse it before.
    public func lives(forAtLeast span: Duration = .zero, from now: Date) -> Bool {
        expires.map { $0 >= now.addingTimeInterval(span / .seconds(1)) } ?? true
    }

    private static func presentable(_ name: String) -> String? {
        DeviceAuthorizationRequest.presentable(name, upTo: 200)
    }
}
