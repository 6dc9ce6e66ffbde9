extension ProviderProfile {
    /// Foursquare, as its library for iOS (FSOAuth 1.3) knew it in 2015; the service may have changed since.
    ///
    /// | fact | value |
    /// | --- | --- |
    /// | scheme of the app | `foursquare://` |
    /// | authorization by the app | `foursquareauth://authorize`, with `v=20130509`, the oldest protocol that will do |
    /// | authorization by https | `https://foursquare.com/native/oauth2/authenticate`, which the app opens from 9.6.1 on |
    /// | token endpoint | `https://foursquare.com/oauth2/access_token` |
    /// | store page | item 306934924 |
    ///
    /// Differences:
    ///
    /// - **The code is redeemed by a backend.** Foursquare demands the client secret, which an app cannot keep. FSOAuth
    ///   sent everything in the query of a GET; a backend sends a POST with the same parameters in its body, as
    ///   RFC 6749 §3.2 demands, so that neither the secret nor the code is part of an address.
    /// - **`state` and a PKCE challenge are sent.** FSOAuth had neither. An answer without `state` is refused unless
    ///   ``allowingAnswersWithoutState`` is set.
    /// - **Answers** are JSON objects with `access_token` or `error`, whatever the status. The token has no type and no
    ///   lifetime, and API calls take it as `oauth_token`.
    public static let foursquare: ProviderProfile = {
        var profile = ProviderProfile(
            named: "https://foursquare.com",
            authorization: "https://foursquare.com/native/oauth2/authenticate",
            token: "https://foursquare.com/oauth2/access_token",
            app: ProviderApp(
                probe: "foursquare://",
                authorization: "foursquareauth://authorize",
                parameters: [ProviderApp.Parameter("v", "20130509")],
                store: ProviderApp.StorePage(
                    item: "306934924", address: "https://itunes.apple.com/app/foursquare/id306934924?mt=8")
            )
        )
        profile.needsBackend = true
        return profile
    }()
}
