/// A party that a limit holds back, as the audit and operators name it.
package enum LimitedParty: Sendable, Hashable {
    /// Everybody together.
    case everybody
    /// A network address, or a network such as `2001:db8::/64`.
    case network(String)
    /// A person.
    case person(Subject)
    /// A client.
    case client(ClientID)
    /// The requests of a client about a person.
    case source(ClientID, Subject)
    /// The receiver of messages: a telephone number, a calling code without `+`, or an e-mail address.
    case receiver(String)
}

extension LimitRule {
    /// The kind of party that a limit counts for.
    package enum PartyKind: Sendable {
        case everybody, network, person, client, source, number, callingCode, emailAddress
        /// A code or token, which nobody can name.
        case secret
    }

    /// The kind of party that the limit counts for.
    package var partyKind: PartyKind {
        switch self {
        case .guessPerAddress, .wrongProofPerAddress, .tokenPerAddress, .startPerAddress, .registrationPerAddress,
            .newAccountPerAddress, .textPerAddress, .mailPerAddress:
            .network
        case .passwordPerAccount, .codePerAccount, .approverPerAccount, .mailPerPerson, .questionPerAccount: .person
        case .tokenPerClient, .startPerClient, .newAccountPerClient: .client
        case .questionPerSource: .source
        case .textPerNumber: .number
        case .textPerPrefix: .callingCode
        case .mailPerRecipient: .emailAddress
        case .userCodeOverall, .startOverall, .registrationOverall, .textOverall, .textOfOwners, .mailOverall:
            .everybody
        case .takingPerCode, .exchangePerToken: .secret
        }
    }

    /// Whether each node also remembers in its memory who has reached the limit, until the end of the span.
    package var isRemembered: Bool {
        switch self {
        case .wrongProofPerAddress, .tokenPerAddress, .tokenPerClient: true
        default: false
        }
    }
}

extension RateLimitKey {
    /// The counts of a limit for a party; none for a kind of party that the limit does not count.
    ///
    /// The counts of a person at a known browser or network are not among them: nobody else can use them up.
    static func all(
        _ rule: LimitRule, of party: LimitedParty, in repositories: any Repositories
    ) throws -> [RateLimitKey] {
        switch party {
        case .everybody: [.overall(rule)]
        case .network(let network):
            [RateLimitKey(rule: rule, whom: network.contains("/") ? network : CountedAddress.text(of: network))]
        case .person(let subject): try names(of: subject, rule, in: repositories).map { .name($0, rule) }
        case .client(let client): [.client(rule, client)]
        case .source(let client, let subject):
            [.source(rule, client, subject), .name("password \(client) \(subject)", rule)]
        case .receiver(let receiver):
            [receiver, "owner \(receiver)", "account \(receiver)"].map { .name($0, rule) }
        }
    }

    /// The names under which a limit counts for a person.
    private static func names(
        of subject: Subject, _ rule: LimitRule, in repositories: any Repositories
    ) throws -> [String] {
        switch rule {
        case .passwordPerAccount:
            guard let person = try repositories.people.find(subject) else { return [] }
            let address = person.verifiedEmail.flatMap { Username(parsing: $0.rawValue) }
            return [person.username.rawValue] + (address.map { [$0.rawValue] } ?? [])
        case .codePerAccount:
            let sites = try repositories.environments.all().map { "password \($0.id) \(subject)" }
            return ["second factor \(subject)", "user code \(subject)", "opened user code \(subject)"] + sites
        default: return [subject.rawValue, "opened \(subject)"]
        }
    }
}
