/// A limit of the server, with its name in settings, documentation and metrics.
///
/// The table in `Documentation/Limits.md` is generated from these declarations.
public enum LimitRule: String, Sendable, CaseIterable {
    // Guesses.
    case guessPerAddress = "guess-per-address"
    case passwordPerAccount = "password-per-account"
    case codePerAccount = "code-per-account"
    case userCodeOverall = "user-code-overall"
    case takingPerCode = "taking-per-code"

    // Requests.
    case wrongProofPerAddress = "wrong-proof-per-address"
    case tokenPerAddress = "token-per-address"
    case tokenPerClient = "token-per-client"
    case approverPerAccount = "approver-per-account"
    case startPerAddress = "start-per-address"
    case startPerClient = "start-per-client"
    case startOverall = "start-overall"

    // New records.
    case registrationPerAddress = "registration-per-address"
    case registrationOverall = "registration-overall"
    case newAccountPerAddress = "new-account-per-address"
    case newAccountPerClient = "new-account-per-client"
    case exchangePerToken = "exchange-per-token"

    // Texts.
    case textPerNumber = "text-per-number"
    case textPerAddress = "text-per-address"
    case textPerPrefix = "text-per-prefix"
    case textOverall = "text-overall"
    case textOfOwners = "text-of-owners"

    // Mails.
    case mailPerRecipient = "mail-per-recipient"
    case mailPerAddress = "mail-per-address"
    case mailPerPerson = "mail-per-person"
    case mailOverall = "mail-overall"

    // Questions.
    case questionPerSource = "question-per-source"
    case questionPerAccount = "question-per-account"

    /// The effect of exceeding a limit.
    public enum Manner: String, Sendable {
        /// The request is refused until the end of the span.
        case refuses
        /// The next attempt is delayed, by two minutes at most.
        case delays
        /// The next text or mail is delayed, twice as long each time.
        case pauses
        /// No message announces the request, which waits in the inbox.
        case silences
        /// Nothing is refused; the operator is notified.
        case alarms
    }

    /// The properties of a limit.
    public struct Declaration: Sendable {
        /// A phrase for the counted attempts and their key.
        public let counted: String
        /// The default limit.
        public let standard: Limit
        /// The effect of exceeding it.
        public let manner: Manner

        fileprivate init(_ counted: String, _ standard: Limit, _ manner: Manner) {
            self.counted = counted
            self.standard = standard
            self.manner = manner
        }
    }

    /// The properties of the limit.
    public var declaration: Declaration { Self.declarations[self] ?? declared }

    private static let declarations = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.declared) })

    private var declared: Declaration {
        switch self {
        case .guessPerAddress:
            Declaration(
                "wrong passwords and codes of every kind from one network, except known browsers and known networks "
                    + "of the account",
                Limit(30, in: 600), .delays)
        case .passwordPerAccount:
            Declaration(
                "wrong passwords for one name from all unknown networks together",
                Limit(100, in: 3600), .delays)
        case .codePerAccount:
            Declaration(
                "wrong codes for one account: one-time passwords from unknown networks, counted for each site "
                    + "separately; user codes that the person types; codes of one client over the back channel",
                Limit(30, in: 1800), .delays)
        case .userCodeOverall:
            Declaration(
                "wrong user codes, and wrong codes of people on screens, by everybody together",
                Limit(300, in: 60), .alarms)
        case .takingPerCode:
            Declaration(
                "people who open the same request by its code, one after the other",
                Limit(10, in: 600), .refuses)
        case .wrongProofPerAddress:
            Declaration(
                "wrong secrets, tokens and keys from one network; valid ones are never refused",
                Limit(2_000, in: 60), .refuses)
        case .tokenPerAddress:
            Declaration(
                "token requests, revocations and similar requests from one network, except those of authenticated "
                    + "clients",
                Limit(30_000, in: 60), .refuses)
        case .tokenPerClient:
            Declaration(
                "token requests, revocations and similar requests of one authenticated client",
                Limit(300_000, in: 60), .refuses)
        case .approverPerAccount:
            Declaration(
                "API calls of the phones and apps of one account that answer requests",
                Limit(120, in: 60), .refuses)
        case .startPerAddress:
            Declaration(
                "sign-in requests and redirects to other providers from one network, except those of authenticated "
                    + "clients",
                Limit(1_000, in: 600), .refuses)
        case .startPerClient:
            Declaration("sign-in requests of one authenticated client", Limit(60_000, in: 600), .refuses)
        case .startOverall:
            Declaration("sign-in requests of all clients together", Limit(300_000, in: 600), .alarms)
        case .registrationPerAddress:
            Declaration("registrations of devices and apps from one network", Limit(600, in: 3600), .refuses)
        case .registrationOverall:
            Declaration(
                "registrations of devices and apps from all networks together",
                Limit(20_000, in: 3600), .alarms)
        case .newAccountPerAddress:
            Declaration(
                "new accounts from sign-ins with other providers from one network",
                Limit(20, in: 3600), .refuses)
        case .newAccountPerClient:
            Declaration(
                "new accounts from token exchange by one authenticated client",
                Limit(2_000, in: 3600), .refuses)
        case .exchangePerToken:
            Declaration("exchanges of one access token of another provider", Limit(60, in: 3600), .refuses)
        case .textPerNumber:
            Declaration(
                "texts with codes to one telephone number from all devices together; the devices of its owner are "
                    + "counted separately",
                Limit(24, in: 86_400), .pauses)
        case .textPerAddress:
            Declaration(
                "unused codes in texts that one network requested, or one site for its visitors in one network",
                Limit(10, in: 3600), .refuses)
        case .textPerPrefix:
            Declaration(
                "unused codes in texts to one calling code, except those to owners",
                Limit(1_000, in: 3600), .refuses)
        case .textOverall:
            Declaration(
                "texts with codes, except those to owners: the daily budget",
                Limit(10_000, in: 86_400), .refuses)
        case .textOfOwners:
            Declaration(
                "texts with codes to owners of registered numbers: their daily budget",
                Limit(1_000, in: 86_400), .refuses)
        case .mailPerRecipient:
            Declaration(
                "mails with a code or link to one address, from all networks together; those for its account are "
                    + "counted separately",
                Limit(24, in: 86_400), .pauses)
        case .mailPerAddress:
            Declaration(
                "mails with a code or link that one network requested and nobody used",
                Limit(20, in: 3600), .refuses)
        case .mailPerPerson:
            Declaration("verification mails that one person requested", Limit(30, in: 86_400), .refuses)
        case .mailOverall:
            Declaration(
                "mails with a code or link: the daily budget",
                Limit(10_000, in: 86_400), .refuses)
        case .questionPerSource:
            Declaration(
                "notifications about requests of one client or site to one person",
                Limit(10, in: 600), .silences)
        case .questionPerAccount:
            Declaration(
                "notifications about requests of all clients and sites to one person",
                Limit(20, in: 600), .silences)
        }
    }

    /// The maximum delay of a guess, in seconds.
    static let longestDelay = 120.0

    /// The name of the counters of this limit.
    var counter: CounterName { CounterName(rawValue) }

    /// Whether the operator is notified when it is reached: it is shared by all.
    var raisesAlarm: Bool {
        switch self {
        case .userCodeOverall, .startOverall, .registrationOverall, .textPerPrefix, .textOverall, .textOfOwners,
            .mailOverall:
            true
        default: false
        }
    }
}
