internal import Countersign
public import CountersignWire
internal import NIOConcurrencyHelpers

extension CrossPlatformProvider {
    /// A provider over this machine's network and by its clocks.
    ///
    /// - Parameters:
    ///   - address: The provider's address, as a service's ``CrossPlatformChallenge`` names it.
    ///   - software: The app's description of itself for its registration.
    ///   - store: The store of the identity and the tokens.
    ///   - options: Lifetimes, limits and renewals.
    ///
    /// Standard: ETSI TS 103 407 §8.
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

    private static let chosen = NIOLockedValueBox<CrossPlatformProvider?>(nil)

    /// The provider that the whole app uses, if one was chosen by ``setDefault(_:)``.
    public static var `default`: CrossPlatformProvider? { chosen.withLockedValue(\.self) }

    /// Chooses the provider that the whole app uses.
    ///
    /// - Parameter provider: The provider; `nil` for none.
    /// - Returns: The provider that was chosen before, if one was.
    @discardableResult
    public static func setDefault(_ provider: CrossPlatformProvider?) -> CrossPlatformProvider? {
        chosen.withLockedValue { chosen in
            defer { chosen = provider }
            return chosen
        }
    }
}
