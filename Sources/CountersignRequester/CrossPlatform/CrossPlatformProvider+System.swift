internal import Countersign
public import CountersignWire

extension CrossPlatformProvider {
    /// A provider over this machine's network and by its clocks; for the parameters see
    /// ``init(at:as:over:keepingTokensIn:options:clock:)``.
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
