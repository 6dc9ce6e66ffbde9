public import Countersign

/// The name of a limit in settings, documentation and metrics.
public struct LimitName: Identifier {
    /// The name, such as `user-code-per-address`.
    public let rawValue: String
    /// Creates a name from text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    // Wrong user codes.
    /// Wrong user codes from one network address.
    public static let userCodePerAddress = LimitName("user-code-per-address")
    /// Wrong user codes from a browser in which the person signed in an hour before, which count for itself.
    public static let userCodePerKnownBrowser = LimitName("user-code-per-known-browser")
    /// Wrong user codes typed by one person.
    public static let userCodePerAccount = LimitName("user-code-per-account")
    /// Wrong user codes altogether.
    public static let userCodeOverall = LimitName("user-code-overall")
    /// People who are seen at one network address; not in the table, because it refuses nothing.
    static let peoplePerAddress = LimitName("people-per-address")
    /// How often one code is taken, by all people together.
    public static let takingPerCode = LimitName("taking-per-code")

    // Wrong passwords.
    /// Wrong passwords from one network address.
    public static let passwordPerAddress = LimitName("password-per-address")
    /// Wrong passwords for one account from one network address.
    public static let passwordPerAccountAndAddress = LimitName("password-per-account-and-address")
    /// Wrong passwords for one account.
    public static let passwordPerAccount = LimitName("password-per-account")
    /// Wrong passwords from a browser in which the person signed in before, which count for itself.
    public static let passwordPerKnownBrowser = LimitName("password-per-known-browser")
    /// Passkeys that are refused, from one network address.
    public static let passkeyPerAddress = LimitName("passkey-per-address")
    /// Wrong one-time passwords and recovery codes from one network address.
    public static let secondFactorPerAddress = LimitName("second-factor-per-address")
    /// The same for one person from one network address.
    public static let secondFactorPerAccountAndAddress = LimitName("second-factor-per-account-and-address")
    /// The same for one person from everywhere.
    public static let secondFactorPerAccount = LimitName("second-factor-per-account")
    /// The same in a browser in which the person signed in before, which count for itself.
    public static let secondFactorPerKnownBrowser = LimitName("second-factor-per-known-browser")

    /// How many passwords wait to be hashed; not a count over time, and not in the table.
    static let passwordQueue = LimitName("password-queue")

    // Other providers.
    /// Browsers that are sent to other providers, from one network address.
    public static let providerVisitPerAddress = LimitName("provider-visit-per-address")
    /// Accounts that are made at a first sign-in with another provider, from one network address.
    public static let newAccountPerAddress = LimitName("new-account-per-address")
    /// Accounts that are made for people whose tokens of another provider one authenticated client exchanges.
    public static let newAccountPerClient = LimitName("new-account-per-client")
    /// How often one token of another provider is exchanged, if it is no ID token.
    public static let exchangePerToken = LimitName("exchange-per-token")
    /// How often one ID token is exchanged; not in the table, because it is always once.
    static let exchangePerIDToken = LimitName("exchange-per-id-token")
    /// How often one nonce of this server is used in an exchange; not in the table, because it is always once.
    static let exchangePerNonce = LimitName("exchange-per-nonce")

    // Codes for telephone numbers.
    /// Codes sent to one telephone number, at the request of devices whose person does not have it.
    public static let phoneCodePerNumber = LimitName("phone-code-per-number")
    /// Codes sent to one telephone number, at the request of devices of the person who has it.
    public static let phoneCodePerOwner = LimitName("phone-code-per-owner")
    /// Codes sent at the request of one network address.
    public static let phoneCodePerAddress = LimitName("phone-code-per-address")
    /// Codes sent to the numbers of one calling code.
    public static let phoneCodePerPrefix = LimitName("phone-code-per-prefix")
    /// Codes sent altogether: the budget of a day, without those for owners.
    public static let phoneCodeOverall = LimitName("phone-code-overall")
    /// Codes sent altogether at the request of devices of people who have the number already: their reserve.
    public static let phoneCodeOfOwners = LimitName("phone-code-of-owners")
    /// Wrong codes from one network address.
    public static let phoneGuessPerAddress = LimitName("phone-guess-per-address")
    /// How long a device waits for its next code; not a count over time, and not in the table.
    static let phoneCodeWait = LimitName("phone-code-wait")
    /// Calling codes to which no codes are sent, because too few are typed; not in the table.
    static let phonePrefixClosed = LimitName("phone-prefix-closed")
    /// Codes sent to a calling code in ten minutes that were not typed and count; not in the table.
    static let phoneCodesUntyped = LimitName("phone-codes-untyped")
    /// Those of them that were sent at the request of one network; not in the table.
    static let phoneCodesUntypedOfNetwork = LimitName("phone-codes-untyped-of-network")
    /// Codes sent to a calling code in ten minutes that were typed; not in the table.
    static let phoneCodesTyped = LimitName("phone-codes-typed")

    // Wrong secrets of clients, wrong device codes and refresh tokens.
    /// Wrong secrets of one client from one network address.
    public static let clientSecretPerClientAndAddress = LimitName("client-secret-per-client-and-address")
    /// Wrong client secrets from one network address.
    public static let clientSecretPerAddress = LimitName("client-secret-per-address")
    /// How often one client assertion is used; not in the table, because it is always once.
    static let usesPerAssertion = LimitName("uses-per-assertion")
    /// How often one DPoP proof without a nonce is used; not in the table, because it is always once.
    static let usesPerProof = LimitName("uses-per-proof")
    /// How often one signed request over the back channel is used; not in the table, because it is always once.
    static let usesPerRequestObject = LimitName("uses-per-request-object")
    /// Wrong device codes and refresh tokens from one network address.
    public static let grantPerAddress = LimitName("grant-per-address")

    /// Access tokens that were revoked and audited; not in the table, because it refuses nothing.
    static let revocationsAudited = LimitName("revocations-audited")

    // Requests for sign-in.
    /// Requests for sign-in from one network address.
    public static let startPerAddress = LimitName("start-per-address")
    /// Requests for sign-in of one client.
    public static let startPerClient = LimitName("start-per-client")
    /// Requests for sign-in altogether.
    public static let startOverall = LimitName("start-overall")
    /// Requests for sign-in that one person is asked to confirm without a code.
    public static let confirmationPerAccount = LimitName("confirmation-per-account")

    /// Requests over the back channel of one client for one person; further ones are answered, and the person is not
    /// asked.
    public static let backchannelPerSource = LimitName("backchannel-per-source")
    /// The same of all clients together.
    public static let backchannelPerAccount = LimitName("backchannel-per-account")

    /// Wrong codes that one client sent with requests for one person who chose a code.
    public static let backchannelUserCodePerSource = LimitName("backchannel-user-code-per-source")

    // Requests of enrolled devices, right or wrong.
    /// Looks of enrolled devices at requests, from one network address.
    public static let authenticatorLookPerAddress = LimitName("authenticator-look-per-address")
    /// The same for one person.
    public static let authenticatorLookPerAccount = LimitName("authenticator-look-per-account")
    /// Signed decisions of enrolled devices from one network address.
    public static let authenticatorDecisionPerAddress = LimitName("authenticator-decision-per-address")
    /// The same for one person.
    public static let authenticatorDecisionPerAccount = LimitName("authenticator-decision-per-account")
    /// Changes of what is kept of devices, from one network address.
    public static let deviceChangePerAddress = LimitName("device-change-per-address")
    /// The same for one person.
    public static let deviceChangePerAccount = LimitName("device-change-per-account")
    // Requests of environments.
    /// Requests of one environment to one telephone number, whoever has it.
    public static let requestPerNumber = LimitName("request-per-number")
    /// The same of all environments together.
    public static let requestPerNumberOverall = LimitName("request-per-number-overall")
    /// Wrong one-time passwords of requests to one person, from everywhere.
    public static let requestPasswordPerAccount = LimitName("request-password-per-account")

    /// Texts that an environment sends; not in the table, because each environment has its own number.
    static let textsPerEnvironment = LimitName("texts-per-environment")

    // Requests of phones about nearby screens, right or wrong.
    /// Requests of phones to look at a nearby screen's request, from one network address.
    public static let nearbyLookPerAddress = LimitName("nearby-look-per-address")
    /// The same for one person.
    public static let nearbyLookPerAccount = LimitName("nearby-look-per-account")
    /// Signed decisions of phones from one network address.
    public static let nearbyDecisionPerAddress = LimitName("nearby-decision-per-address")
    /// The same for one person.
    public static let nearbyDecisionPerAccount = LimitName("nearby-decision-per-account")

    // Requests of the provider's own apps about authorization requests of other apps, right or wrong.
    /// Looks at authorization requests from one network address.
    public static let authorizationLookPerAddress = LimitName("authorization-look-per-address")
    /// The same for one person.
    public static let authorizationLookPerAccount = LimitName("authorization-look-per-account")
    /// Signed decisions about authorization requests from one network address.
    public static let authorizationDecisionPerAddress = LimitName("authorization-decision-per-address")
    /// The same for one person.
    public static let authorizationDecisionPerAccount = LimitName("authorization-decision-per-account")

    // Devices that register themselves.
    /// Devices that register themselves from one network address.
    public static let registrationPerAddress = LimitName("registration-per-address")
    /// Devices that register themselves, altogether.
    public static let registrationOverall = LimitName("registration-overall")

    // Token requests, successful ones too.
    /// Token requests and revocations, correct ones included, from one network address.
    public static let tokenPerAddress = LimitName("token-per-address")
    /// Token requests and revocations, correct ones included, of one client.
    public static let tokenPerClient = LimitName("token-per-client")
}
