public import Countersign
public import CountersignWire

extension SignIn {
    /// Creates a sign-in that uses this machine's network and clock.
    ///
    /// - Parameters:
    ///   - issuer: The authorization server.
    ///   - client: The identifier under which the server knows this app.
    ///   - secret: The app's secret, if it is a confidential client; none by default.
    ///   - scope: What to ask for; with `openid` the person is asked to confirm who they are.
    ///   - deviceName: What the screen calls itself, shown to the person who approves; not sent by default.
    ///   - store: Where the tokens are stored before ``run(confirming:)`` returns; they are not stored by default.
    ///   - options: Time limits and retries; the defaults suit a screen on an ordinary network.
    ///   - nearby: Connects the sign-in with phones nearby that may approve it; none by default.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        for scope: Scope,
        deviceName: String? = nil,
        keepingTokensIn store: (any TokenStore)? = nil,
        options: SignInOptions = SignInOptions(),
        nearby: NearbySignIn? = nil
    ) {
        self.init(
            at: issuer,
            as: client,
            secret: secret,
            for: scope,
            deviceName: deviceName,
            over: SystemTransport.make(),
            keepingTokensIn: store,
            options: options,
            nearby: nearby,
            clock: .system
        )
    }
}
