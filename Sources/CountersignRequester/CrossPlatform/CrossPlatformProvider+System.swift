internal import Countersign
public import CountersignWire

extension CrossPlatformProvider {
    /// Creates a provider that uses this machine's network and clock.
    ///
    /// - Parameters:
    ///   - address: Where the provider is, as a service's ``CrossPlatformChallenge`` names it.
    ///   - software: What this app says about itself when it registers.
    ///   - store: Where identity and tokens are stored.
    ///   - options: Time limits and retries; the defaults suit an ordinary network.
    public init(
        at address: Issuer,
        as software: ClientRegistrationRequest,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions()
    ) {
        self.init(
            at: address,
            as: software,
            over: SystemTransport.make(),
            keepingTokensIn: store,
            options: options,
            clock: .system
        )
    }
}
