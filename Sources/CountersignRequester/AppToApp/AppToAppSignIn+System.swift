public import Countersign
internal import CountersignTransport

extension AppToAppSignIn {
    /// Prepares a sign-in over this machine's network, by its clocks and its generator.
    ///
    /// - Parameters:
    ///   - provider: The provider that signs the person in.
    ///   - client: The app's client id at the provider.
    ///   - secret: The client secret, for a program that its owner runs; an app that others install has none.
    ///   - redirects: The redirect URIs for the answer; registered with the provider.
    ///   - scope: The requested scope; with `openid` the identity of the person is verified.
    ///   - opener: Opens other apps and the browser.
    ///   - store: The store of pending requests and tokens.
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
