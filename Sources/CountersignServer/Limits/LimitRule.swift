internal import Countersign

/// A limit of the server: its name in settings, documentation and metrics, and everything that is said of it.
///
/// The table in `Documentation/Limits.md` is made of these declarations.
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

    // Records that are made, and stay.
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

    // Questions.
    case questionPerSource = "question-per-source"
    case questionPerAccount = "question-per-account"

    /// The effect of exceeding a limit.
    public enum Manner: String, Sendable {
        /// The request is refused until the span is over.
        case refuses
        /// The next attempt has to wait, for two minutes at most.
        case delays
        /// The next text has to wait, twice as long each time.
        case pauses
        /// The question does not ring, and waits in the inbox.
        case silences
        /// Nothing is refused; the operator is told.
        case alarms
    }

    /// Everything that is said of a limit.
    public struct Declaration: Sendable {
        /// The counted attempts, and the party that they count for, as a phrase.
        public let counted: String
        /// The limit that applies unless the operator changes it.
        public let standard: Limit
        /// The effect of exceeding it.
        public let manner: Manner

        fileprivate init(_ counted: String, _ standard: Limit, _ manner: Manner) {
            self.counted = counted
            self.standard = standard
            self.manner = manner
        }
    }

    /// The counted attempts, the limit that applies unless the operator changes it, and the effect of exceeding it.
    public var declaration: Declaration { Self.declarations[self] ?? declared }

    private static let declarations = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.declared) })

    private var declared: Declaration {
        switch self {
        case .guessPerAddress:
            Declaration(
                "wrong passwords and wrong codes of every kind from one network; a browser or a network that "
                    + "the person used before counts apart",
                Limit(30, in: 600), .delays)
        case .passwordPerAccount:
            Declaration(
                "wrong passwords for one name from all networks together that the account does not know",
                Limit(100, in: 3600), .delays)
        case .codePerAccount:
            Declaration(
                "wrong codes at one person: one-time passwords from networks that they do not use, for each "
                    + "site apart; user codes that they type themselves; codes of one client over the back channel",
                Limit(30, in: 1800), .delays)
        case .userCodeOverall:
            Declaration(
                "wrong user codes, by everybody together",
                Limit(300, in: 60), .alarms)
        case .takingPerCode:
            Declaration(
                "people who open one and the same request by its code, one after the other",
                Limit(10, in: 600), .refuses)
        case .wrongProofPerAddress:
            Declaration(
                "wrong secrets, tokens and keys from one network; a right one is let through all the same",
                Limit(2_000, in: 60), .refuses)
        case .tokenPerAddress:
            Declaration(
                "token requests, revocations and the like from one network, except those of proven clients",
                Limit(30_000, in: 60), .refuses)
        case .tokenPerClient:
            Declaration(
                "token requests, revocations and the like of one proven client",
                Limit(300_000, in: 60), .refuses)
        case .approverPerAccount:
            Declaration(
                "calls of the phones and apps with which one person answers requests",
                Limit(120, in: 60), .refuses)
        case .startPerAddress:
            Declaration(
                "requests for sign-in, and visits to other providers, from one network, except those of "
                    + "proven clients",
                Limit(1_000, in: 600), .refuses)
        case .startPerClient:
            Declaration(
                "requests for sign-in of one proven client",
                Limit(60_000, in: 600), .refuses)
        case .startOverall:
            Declaration(
                "requests for sign-in, by everybody together",
                Limit(300_000, in: 600), .alarms)
        case .registrationPerAddress:
            Declaration(
                "devices and apps that register themselves from one network",
                Limit(600, in: 3600), .refuses)
        case .registrationOverall:
            Declaration(
                "devices and apps that register themselves, all together",
                Limit(20_000, in: 3600), .alarms)
        case .newAccountPerAddress:
            Declaration(
                "accounts that are made at a first sign-in with another provider, from one network",
                Limit(20, in: 3600), .refuses)
        case .newAccountPerClient:
            Declaration(
                "accounts that are made when one proven client exchanges tokens of another provider",
                Limit(2_000, in: 3600), .refuses)
        case .exchangePerToken:
            Declaration(
                "exchanges of one access token of another provider",
                Limit(60, in: 3600), .refuses)
        case .textPerNumber:
            Declaration(
                "codes by text to one telephone number, for all devices together; the devices of its owner "
                    + "count apart",
                Limit(24, in: 86_400), .pauses)
        case .textPerAddress:
            Declaration(
                "codes by text that nobody typed, asked for from one network, or by one site for its visitors "
                    + "in one network",
                Limit(10, in: 3600), .refuses)
        case .textPerPrefix:
            Declaration(
                "codes by text to one calling code that nobody typed, except those to owners",
                Limit(1_000, in: 3600), .refuses)
        case .textOverall:
            Declaration(
                "codes by text, except those to owners: the budget of a day",
                Limit(10_000, in: 86_400), .refuses)
        case .textOfOwners:
            Declaration(
                "codes by text to people whose number it is already: their budget of a day",
                Limit(1_000, in: 86_400), .refuses)
        case .questionPerSource:
            Declaration(
                "questions of one client or site to one person that ring",
                Limit(10, in: 600), .silences)
        case .questionPerAccount:
            Declaration(
                "questions of all clients and sites to one person that ring",
                Limit(20, in: 600), .silences)
        }
    }

    /// The maximum delay of a guess, in seconds.
    static let longestDelay = 120.0

    /// The name of the counters of this limit.
    var counter: CounterName { CounterName(rawValue) }

    /// Whether the operator is told when it is reached: it holds for everybody together.
    var raisesAlarm: Bool {
        switch self {
        case .userCodeOverall, .startOverall, .registrationOverall, .textPerPrefix, .textOverall, .textOfOwners: true
        default: false
        }
    }
}
