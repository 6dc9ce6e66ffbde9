internal import CountersignWire

extension ProviderProfile {
    /// Apple. Codes are redeemed by a backend, whose secret is a token that it signs itself, and which verifies the ID
    /// token by an ``IdentityVerifier``.
    ///
    /// With the scopes `name` or `email` the answer is posted to the backend (`form_post`); with `openid` alone it
    /// comes back to the app.
    public static let apple: ProviderProfile = {
        var profile = known("https://appleid.apple.com")
        profile.needsBackend = true
        return profile
    }()

    /// Google, for clients of the types iOS, Android and desktop.
    public static let google = known("https://accounts.google.com")

    /// Facebook Limited Login, by hand: a code with PKCE, which gives an ID token.
    ///
    /// Facebook's metadata name no token endpoint, so the addresses are constants; a backend redeems the code and
    /// verifies the ID token by an ``IdentityVerifier``. The issuer is `https://www.facebook.com`.
    public static let facebookLimitedLogin: ProviderProfile = {
        var profile = ProviderProfile(
            named: "https://www.facebook.com",
            authorization: "https://www.facebook.com/v23.0/dialog/oauth",
            token: "https://graph.facebook.com/v23.0/oauth/access_token",
            keys: "https://www.facebook.com/.well-known/oauth/openid/jwks/"
        )
        profile.needsBackend = true
        return profile
    }()

    /// X by OAuth 2 with PKCE, for public clients. It has no ID token: ``XProfile`` asks who the person is.
    public static let x = ProviderProfile(
        named: "https://x.com",
        authorization: "https://x.com/i/oauth2/authorize",
        token: "https://api.x.com/2/oauth2/token"
    )

    /// Microsoft.
    ///
    /// The addresses `common` and `organizations` are not offered: the issuer of their tokens is another one for each
    /// organisation, so that no app could verify it.
    ///
    /// - Parameter tenant: The identifier of an organisation, as 32 hexadecimal digits with hyphens; `nil` for personal
    ///   accounts. Another text means personal accounts, too.
    public static func microsoft(tenant: String? = nil) -> ProviderProfile {
        let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
        let isTenant = tenant?.utf8.count == 36 && tenant?.allSatisfy { $0.isHexDigit || $0 == "-" } == true
        return known("https://login.microsoftonline.com/\(isTenant ? tenant ?? personal : personal)/v2.0")
    }

    /// The built-in profile of an issuer.
    private static func known(_ issuer: String) -> ProviderProfile {
        guard let issuer = try? Issuer(issuer) else { preconditionFailure("\(issuer) is no issuer") }
        return ProviderProfile(discoveredAt: issuer)
    }
}
