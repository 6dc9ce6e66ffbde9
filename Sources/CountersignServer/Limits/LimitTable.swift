/// Every limit of a server.
public struct LimitTable: Sendable, Equatable {
    /// The default limits; the documentation explains them one by one.
    public static let standard: [LimitName: Limit] = [
        .userCodePerAddress: Limit(10, in: 60),
        .userCodePerKnownBrowser: Limit(10, in: 60),
        .userCodePerAccount: Limit(10, in: 60),
        .userCodeOverall: Limit(300, in: 60),
        .takingPerCode: Limit(10, in: 600),
        .passwordPerAddress: Limit(30, in: 600),
        .passwordPerAccountAndAddress: Limit(10, in: 600),
        .passwordPerAccount: Limit(100, in: 3600),
        .passwordPerKnownBrowser: Limit(10, in: 3600),
        .passkeyPerAddress: Limit(30, in: 600),
        .secondFactorPerAddress: Limit(30, in: 600),
        .secondFactorPerAccountAndAddress: Limit(10, in: 600),
        .secondFactorPerAccount: Limit(30, in: 3600),
        .secondFactorPerKnownBrowser: Limit(10, in: 3600),
        .providerVisitPerAddress: Limit(60, in: 600),
        .newAccountPerAddress: Limit(20, in: 3600),
        .newAccountPerClient: Limit(2_000, in: 3600),
        .exchangePerToken: Limit(60, in: 3600),
        .phoneCodePerNumber: Limit(10, in: 86_400),
        .phoneCodePerOwner: Limit(10, in: 86_400),
        .phoneCodePerAddress: Limit(60, in: 3600),
        .phoneCodePerPrefix: Limit(1_000, in: 3600),
        .phoneCodeOverall: Limit(10_000, in: 86_400),
        .phoneCodeOfOwners: Limit(1_000, in: 86_400),
        .phoneGuessPerAddress: Limit(30, in: 600),
        .clientSecretPerClientAndAddress: Limit(60, in: 60),
        .clientSecretPerAddress: Limit(600, in: 60),
        .grantPerAddress: Limit(2_000, in: 60),
        .startPerAddress: Limit(1_000, in: 600),
        .startPerClient: Limit(60_000, in: 600),
        .startOverall: Limit(300_000, in: 600),
        .confirmationPerAccount: Limit(60, in: 600),
        .backchannelPerSource: Limit(10, in: 600),
        .backchannelPerAccount: Limit(20, in: 600),
        .backchannelUserCodePerSource: Limit(5, in: 600),
        .authenticatorLookPerAddress: Limit(300, in: 60),
        .authenticatorLookPerAccount: Limit(60, in: 60),
        .authenticatorDecisionPerAddress: Limit(300, in: 60),
        .authenticatorDecisionPerAccount: Limit(30, in: 60),
        .deviceChangePerAddress: Limit(300, in: 60),
        .deviceChangePerAccount: Limit(30, in: 60),
        .requestPerNumber: Limit(20, in: 600),
        .requestPerNumberOverall: Limit(60, in: 600),
        .requestPasswordPerAccount: Limit(20, in: 86_400),
        .nearbyLookPerAddress: Limit(300, in: 60),
        .nearbyLookPerAccount: Limit(30, in: 60),
        .nearbyDecisionPerAddress: Limit(300, in: 60),
        .nearbyDecisionPerAccount: Limit(30, in: 60),
        .authorizationLookPerAddress: Limit(300, in: 60),
        .authorizationLookPerAccount: Limit(30, in: 60),
        .authorizationDecisionPerAddress: Limit(300, in: 60),
        .authorizationDecisionPerAccount: Limit(30, in: 60),
        .registrationPerAddress: Limit(600, in: 3600),
        .registrationOverall: Limit(20_000, in: 3600),
        .tokenPerAddress: Limit(30_000, in: 60),
        .tokenPerClient: Limit(300_000, in: 60),
    ]

    /// The limits by name; one that is missing is switched off.
    private var limits = Self.standard

    /// The standard limits.
    public init() {}

    /// The limit of a key; `nil` when the key is not counted.
    subscript(_ rateKey: RateLimitKey) -> Limit? {
        guard !rateKey.isUnseen, let limit = limits[rateKey.limit] else { return nil }
        guard rateKey.factor > 1 else { return limit }
        let (most, isTooMuch) = limit.most.multipliedReportingOverflow(by: rateKey.factor)
        return Limit(isTooMuch ? .max : most, in: limit.seconds)
    }

    /// The limit of this name; `nil` when it is switched off.
    public subscript(_ name: LimitName) -> Limit? {
        get { limits[name] }
        set { limits[name] = newValue }
    }
}
