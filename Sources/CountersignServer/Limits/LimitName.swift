public import Countersign

/// What a limit is called in settings, documentation and metrics.
public struct LimitName: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    // Wrong user codes.
    public static let userCodePerAddress = LimitName("user-code-per-address")
    public static let userCodePerAccount = LimitName("user-code-per-account")
    public static let userCodeOverall = LimitName("user-code-overall")
    /// How often one code is taken, by whomever.
    public static let takingPerCode = LimitName("taking-per-code")

    // Wrong passwords.
    public static let passwordPerAddress = LimitName("password-per-address")
    public static let passwordPerAccountAndAddress = LimitName("password-per-account-and-address")
    public static let passwordPerAccount = LimitName("password-per-account")

    /// How many passwords wait to be hashed; no count, and not in the table.
    static let passwordQueue = LimitName("password-queue")

    // Wrong secrets of clients, wrong device codes and refresh tokens.
    public static let clientSecretPerClientAndAddress = LimitName("client-secret-per-client-and-address")
    public static let clientSecretPerAddress = LimitName("client-secret-per-address")
    public static let grantPerAddress = LimitName("grant-per-address")

    // Requests for sign-in.
    public static let startPerAddress = LimitName("start-per-address")
    public static let startPerClient = LimitName("start-per-client")
    public static let startOverall = LimitName("start-overall")
    /// Those among them that a person is to confirm without a code.
    public static let confirmationPerAccount = LimitName("confirmation-per-account")

    // What phones ask about screens nearby, right or wrong.
    public static let nearbyLookPerAddress = LimitName("nearby-look-per-address")
    public static let nearbyLookPerAccount = LimitName("nearby-look-per-account")
    public static let nearbyDecisionPerAddress = LimitName("nearby-decision-per-address")
    public static let nearbyDecisionPerAccount = LimitName("nearby-decision-per-account")

    // Devices that register themselves.
    public static let registrationPerAddress = LimitName("registration-per-address")
    public static let registrationOverall = LimitName("registration-overall")

    // Token requests, good ones too.
    public static let tokenPerAddress = LimitName("token-per-address")
    public static let tokenPerClient = LimitName("token-per-client")
}
