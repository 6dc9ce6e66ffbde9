internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The apps of a home.
enum HomeClient: String, Sendable, Hashable, CaseIterable {
    /// The screens; anybody may use its identifier.
    case tv
    /// Another app for screens: the attacker's own.
    case game
    /// A backend that asks people over the back channel.
    case desk
    /// A site that sends browsers to `/authorize`.
    case shop
    /// The app on phones that approves.
    case authenticator
    /// A service that accepts the tokens of all others.
    case service

    static let audience = "https://service.home"
    /// The scope that is granted only to a person in front of the screen.
    static let vault = ScopeWord("vault")
    static let play = ScopeWord("play")

    var id: ClientID { ClientID(rawValue) }
    var redirectURI: String { "https://\(rawValue).example/done" }

    /// The addresses that browsers come back to: that of the shop's site, and that of screens for their own device.
    private var redirects: RedirectRegistration {
        switch self {
        case .shop: RedirectRegistration(redirectURIs: [redirectURI])
        case .tv: RedirectRegistration(redirectURIs: [ScreenBrowserWay.registered])
        case .game, .desk, .authenticator, .service: .none
        }
    }

    private var secret: ClientSecret? {
        switch self {
        case .tv, .game, .authenticator: nil
        case .desk, .shop, .service: ClientSecret(revealing: "\(rawValue)-secret")
        }
    }

    /// Identifies and authenticates the client.
    var credentials: Form {
        var form: Form = ["client_id": rawValue]
        form["client_secret"] = secret?.revealed
        return form
    }

    private var grantTypes: [GrantType] {
        switch self {
        case .tv, .game: [.deviceCode, .refreshToken]
        case .desk: [.backchannelAuthentication, .refreshToken]
        case .shop: [.authorizationCode, .refreshToken]
        case .authenticator: [.preAuthorizedCode, .refreshToken]
        case .service: []
        }
    }

    /// The registration.
    func record(created: Date) -> Client {
        Client(
            id: id,
            name: "The \(rawValue)",
            kind: secret.map { .confidential($0.digest) } ?? .public,
            grantTypes: grantTypes,
            scope: self == .authenticator
                ? Scope([.openid, .offlineAccess, .nearbyApprove])
                : Scope([.openid, .offlineAccess, Self.play, Self.vault]),
            tokenFormat: .opaque,
            audience: self == .service || self == .authenticator ? nil : Self.audience,
            serves: self == .service ? [Self.audience] : [],
            redirects: redirects,
            lifetimes: self == .authenticator ? Lifetimes(accessToken: 86_400) : Lifetimes(),
            created: created
        )
    }
}
