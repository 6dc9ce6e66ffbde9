public import Countersign
internal import CountersignTransport

extension AppToAppSignIn {
    /// Prepares a sign-in over this machine's network, by its clocks and its generator.
    ///
    /// - Parameters:
    ///   - provider: Where to sign in.
    ///   - client: The client id under which the provider knows this app.
    ///   - secret: The client secret, for a program that its owner runs; an app that others install has none.
    ///   - redirects: Where the answer comes to; registered with the provider.
    ///   - scope: What is asked; with `openid` it is verified who signed in.
    ///   - opener: Opens other apps and the browser.
    ///   - store: Where pending requests and tokens are kept.
    ///   - options: Lifetimes and limits.
    ///
    /// Standard: RFC 8252 §4.1.
    public init(
        at provider: ProviderProfile,
        as client: ClientID,
        secret: ClientSecret? = nil,
        returningTo redirects: AppRedirects,
        for scope: Scope,
        opening opener: any AppOpener,
        keepingTokensIn store: any TokenStore,
        options: AppToAppOptions = AppToAppOptions()
    ) {
        self.init(
            at: provider,
            as: client,
            secret: secret,
            returningTo: redirects,
            for: scope,
            opening: opener,
            over: SystemTransport.make(),
            keepingTokensIn: store,
            options: options,
            clock: .system,
            random: .system
        )
    }
}
