/// The endpoints of a provider for reverse authentication: an account of the system becomes tokens of an app.
///
/// ```swift
/// var provider = ReverseAuthProvider.twitter
/// provider.profile = "https://api.x.com/1.1/account/verify_credentials.json"
/// ```
///
/// It is one provider's extension of OAuth 1, which no standard describes. X does not document it any more.
public struct ReverseAuthProvider: Sendable, Hashable {
    /// The provider of the accounts.
    public var id: AccountProviderID
    /// The address of the first step.
    public var requestToken: String
    /// The address of the second step.
    public var accessToken: String
    /// The address of the profile, without a query.
    public var profile: String
    /// The time limit of one request; 15 s by default.
    public var timeLimit = Duration.seconds(15)

    /// A provider.
    public init(id: AccountProviderID, requestToken: String, accessToken: String, profile: String) {
        self.id = id
        self.requestToken = requestToken
        self.accessToken = accessToken
        self.profile = profile
    }

    /// X, at the addresses that Twitter had.
    public static let twitter = ReverseAuthProvider(
        id: .twitter,
        requestToken: "https://api.twitter.com/oauth/request_token",
        accessToken: "https://api.twitter.com/oauth/access_token",
        profile: "https://api.twitter.com/1.1/account/verify_credentials.json"
    )
}
