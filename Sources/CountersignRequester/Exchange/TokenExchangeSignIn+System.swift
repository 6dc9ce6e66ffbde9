public import Countersign
internal import CountersignTransport
public import CountersignWire

extension TokenExchangeSignIn {
    /// Prepares a sign-in over this machine's network and by its clocks.
    ///
    /// - Parameters:
    ///   - issuer: The server's address.
    ///   - client: The client id under which the server knows this app.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - scope: What is asked; empty for all that the app may have.
    ///   - store: Where the tokens are kept before ``exchange(_:)`` returns.
    ///   - options: Limits, attempts, and whether the tokens are bound to a key.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        for scope: Scope,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions()
    ) {
        self.init(
            at: issuer,
            as: client,
            secret: secret,
            for: scope,
            over: SystemTransport.make(),
            keepingTokensIn: store,
            options: options,
            clock: .system,
            random: .system
        )
    }
}
