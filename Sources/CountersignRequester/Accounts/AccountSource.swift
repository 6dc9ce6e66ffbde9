public import Countersign
public import CountersignWire

/// One answer to the question "Where do you have an account?", which an app shows as a list.
///
/// ```swift
/// let sources: [AccountSource] = [.apple, .google, .microsoft(), .twitterAccount]
/// let chosen = await screen.choose("Where do you have an account?", among: sources.map(\.name))
/// ```
///
/// Phones have no store of accounts any more: what is left there is a sign-in by the provider's own app or the browser
/// (``AppToAppSignIn``), which takes the ``Way/provider(_:scope:)``.
public struct AccountSource: Sendable, Hashable, Identifiable {
    /// The way for an app to sign in with this source.
    public enum Way: Sendable, Hashable {
        /// Another app or the browser, with ``AppToAppSignIn``; with `openid` in the scope an ID token identifies the
        /// person.
        case provider(ProviderProfile, scope: Scope)
        /// A system account that signs, with ``ReverseAuth``.
        case reverseAuth(ReverseAuthProvider)
        /// A system account that has a token, with ``SocialGraphSignIn``.
        case socialGraph(SocialGraphProvider)
    }

    /// Identifies the source, such as `google`.
    public let id: String
    /// The name to show.
    public let name: String
    /// The way for an app to sign in with this source.
    public let way: Way

    /// A source.
    public init(id: String, name: String, way: Way) {
        self.id = id
        self.name = name
        self.way = way
    }
}

extension AccountSource {
    /// The rights that only identify a person.
    private static let identity = Scope([.openid, .profile])

    /// Sign in with Apple.
    public static let apple = AccountSource(id: "apple", name: "Apple", way: .provider(.apple, scope: Scope([.openid])))
    /// Google.
    public static let google = AccountSource(id: "google", name: "Google", way: .provider(.google, scope: identity))
    /// Facebook, without access to its social graph: an ID token alone.
    public static let facebookLimitedLogin = AccountSource(
        id: "facebook", name: "Facebook", way: .provider(.facebookLimitedLogin, scope: Scope([.openid])))
    /// X, which has no ID token: ``XProfile`` asks who it was.
    public static let x = AccountSource(
        id: "x", name: "X", way: .provider(.x, scope: Scope(parsing: "users.read tweet.read") ?? .none))
    /// An account of X that this system holds.
    public static let twitterAccount = AccountSource(
        id: "twitter-account", name: "X account of this system", way: .reverseAuth(.twitter))
    /// An account of Facebook that this system holds.
    public static let facebookAccount = AccountSource(
        id: "facebook-account", name: "Facebook account of this system", way: .socialGraph(.facebook))

    /// Microsoft.
    ///
    /// - Parameter tenant: The identifier of the people's organisation, or `nil`, the default, for personal accounts.
    public static func microsoft(tenant: String? = nil) -> AccountSource {
        AccountSource(id: "microsoft", name: "Microsoft", way: .provider(.microsoft(tenant: tenant), scope: identity))
    }

    /// Any provider of OpenID Connect.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer; everything else is discovered.
    ///   - name: The name to show.
    public static func openID(at issuer: Issuer, named name: String) -> AccountSource {
        AccountSource(
            id: issuer.text, name: name, way: .provider(ProviderProfile(discoveredAt: issuer), scope: identity))
    }

    /// The sources that need nothing of the system.
    public static let everywhere: [AccountSource] = [.apple, .google, .microsoft(), .facebookLimitedLogin, .x]
}
