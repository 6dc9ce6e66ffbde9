/// The answer to a token request; only its ID token is used.
///
/// The standard requires an accompanying access token, but some providers leave that out where no resource was asked
/// for, as Azure AD B2C does for the scope `openid`. Standard: OpenID Connect Core 1.0 §3.1.3.3.
package struct IDTokenResponse: Sendable, Equatable, Decodable {
    /// A signed statement about the person, not verified yet.
    @SecretMember package private(set) var idToken: UnverifiedIDToken
    /// The access token, whose hash the statement may name; `nil` when the provider sends none.
    @OptionalSecretMember package private(set) var accessToken: AccessToken?

    private enum CodingKeys: String, SnakeCaseKey { case idToken, accessToken }
}
