public import Countersign
public import CountersignWire

extension SignIn {
    /// Prepares a sign-in over this machine's network and by its clocks; for the parameters see
    /// ``init(at:as:secret:for:deviceName:over:keepingTokensIn:options:nearby:clock:)``.
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
