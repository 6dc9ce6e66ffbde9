public import Countersign
internal import CountersignTransport
public import CountersignWire

extension TokenExchangeSignIn {
    /// Prepares a sign-in over this machine's network and by its clocks.
    ///
    /// - Parameters:
    ///   - issuer: The server's address.
    ///   - client: The app's client id at the server.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - scope: The requested scope; empty for all that the app may have.
    ///   - store: The store that keeps the tokens before ``exchange(_:)`` returns.
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
