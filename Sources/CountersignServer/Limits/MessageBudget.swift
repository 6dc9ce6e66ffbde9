internal import FoundationEssentialsCompat

/// Counts text messages, which cost money: codes for devices, and messages of sites; and mails that strangers can
/// cause.
///
/// A text counts when it is queued, and is given back when its delivery fails. A typed code shows that the text was
/// wanted, and reverts the counts of its number, its network and its calling code.
struct MessageBudget: Sendable {
    let limits: StoredRateLimiter

    /// The party that a code is sent for.
    enum Party: Sendable {
        /// A device of the owner of the number, or one in a known network of the owner.
        case owner
        /// Any other device, at a network address; `nil` where it cannot be seen.
        case stranger(String?)
    }

    /// A network of 256 IPv4 addresses has four times the limit of one.
    private static let factorOfHolder = 4

    /// Counts a text with a code.
    ///
    /// - Parameter isSent: Whether it is sent. A code without effect is not sent and costs nothing, but pauses the next
    ///   one all the same, so that it does not reveal whether the number is registered.
    /// - Throws: ``RateLimitError``.
    func spend(on number: PhoneNumber, for party: Party, isSent: Bool, in repositories: any Repositories) throws {
        let (asking, money) = (asking(number, for: party), money(number, for: party))
        try limits.admit(asking + money, in: repositories)
        try limits.count(isSent ? asking + money : asking, in: repositories)
    }

    /// Whether the next text to a number is paused.
    func isPaused(_ number: PhoneNumber, for party: Party, in repositories: any Repositories) throws -> Bool {
        try limits.isReached(
            asking(number, for: party).filter { $0.rule == .textPerNumber }, in: repositories)
    }

    /// Notes that the code in a text was typed, which reverts its counts.
    func noteTyped(_ number: PhoneNumber, by party: Party, in repositories: any Repositories) throws {
        var wanted = asking(number, for: party)
        if !party.isOwner { wanted.append(.name(number.callingCode, .textPerPrefix)) }
        try limits.takeBack(wanted, in: repositories)
    }

    /// Gives the cost of an undelivered text back.
    func giveBack(_ delivery: Delivery, in repositories: any Repositories) throws {
        if case .mail(let message, _) = delivery.content, message.isCounted == true {
            let key = asking(message.address, onAccount: message.kind == .passwordReset)
            return try limits.takeBack([key, .overall(.mailOverall)], in: repositories)
        }
        guard case .text(_, to: let number) = delivery.content else { return }
        if let environment = delivery.environment {
            let key = Self.key(of: environment)
            _ = try repositories.counts.add(-1, to: key, lasting: Self.day, at: limits.clock.now())
        } else if let device = delivery.device {
            let subject = try repositories.devices.find(device)?.subject
            let party = try party(of: device, subject, for: number, at: nil, in: repositories)
            try limits.takeBack(asking(number, for: party) + money(number, for: party), in: repositories)
        }
    }

    /// The party that a code to a device is sent for.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - subject: The person of the device; `nil` for none.
    ///   - number: The number of the code.
    ///   - address: The network address of the device.
    func party(
        of device: DeviceRegistration.ID,
        _ subject: Subject?,
        for number: PhoneNumber,
        at address: String?,
        in repositories: any Repositories
    ) throws -> Party {
        guard let holder = try repositories.phoneNumbers.find(number) else { return .stranger(address) }
        let isOwner =
            try holder.device == device || holder.subject == subject
            || VisitHistory(repositories).isKnown(holder.subject, at: address, asOf: limits.clock.now())
        return isOwner ? .owner : .stranger(address)
    }

    /// The keys that count the cost of a text.
    private func money(_ number: PhoneNumber, for party: Party) -> [RateLimitKey] {
        party.isOwner
            ? [.overall(.textOfOwners)] : [.name(number.callingCode, .textPerPrefix), .overall(.textOverall)]
    }

    /// The keys that limit requests for texts.
    private func asking(_ number: PhoneNumber, for party: Party) -> [RateLimitKey] {
        switch party {
        case .owner: return [.name("owner \(number.text)", .textPerNumber)]
        case .stranger(let address):
            var networks = [RateLimitKey.address(.textPerAddress, address)]
            if let address, CountedAddress.wider(than: address).isEmpty {
                let holder = CountedAddress.holding(address)
                var key = RateLimitKey(rule: .textPerAddress, whom: holder, address: holder)
                key.factor = Self.factorOfHolder
                networks.append(key)
            }
            return [.name(number.text, .textPerNumber)] + networks
        }
    }

    // MARK: Mails

    /// Counts a mail with a code or link that a signed-in person requested, whether or not the address has an account,
    /// so that a refusal does not reveal whether it has one.
    ///
    /// - Parameters:
    ///   - address: The address of the receiver.
    ///   - subject: The person.
    ///   - network: The network address of the request; `nil` where it cannot be seen.
    /// - Throws: ``RateLimitError``.
    func spend(
        on address: EmailAddress, by subject: Subject, from network: String?, in repositories: any Repositories
    ) throws {
        let keys = [
            asking(address), .address(.mailPerAddress, network), .subject(.mailPerPerson, subject),
            .overall(.mailOverall),
        ]
        try limits.admit(keys, in: repositories)
        try limits.count(keys, in: repositories)
    }

    /// Counts a mail that somebody requested for an account by a name. The request counts for its network also where
    /// there is no mail, and an address that was mailed too often gets none, so that a refusal does not reveal whether
    /// there is such an account.
    ///
    /// - Parameters:
    ///   - address: The address of the account; `nil` where there is none.
    ///   - network: The network address of the request; `nil` where it cannot be seen.
    /// - Returns: Whether the mail may be sent.
    /// - Throws: ``RateLimitError``.
    func spend(
        onAccountAt address: EmailAddress?, from network: String?, in repositories: any Repositories
    ) throws -> Bool {
        let asked = RateLimitKey.address(.mailPerAddress, network)
        try limits.admit([asked, .overall(.mailOverall)], in: repositories)
        try limits.count([asked], in: repositories)
        guard let address, try !limits.isReached([asking(address, onAccount: true)], in: repositories)
        else { return false }
        try limits.count([asking(address, onAccount: true), .overall(.mailOverall)], in: repositories)
        return true
    }

    /// Notes that the code or link of a mail was used, which reverts the counts of its address and its network.
    ///
    /// - Parameters:
    ///   - address: The address of the receiver.
    ///   - onAccount: Whether it was a mail for the account with that address; not by default.
    ///   - network: The network address of the browser; `nil` where it cannot be seen.
    func noteUsed(
        _ address: EmailAddress, onAccount: Bool = false, from network: String?, in repositories: any Repositories
    ) throws {
        try limits.takeBack(
            [asking(address, onAccount: onAccount), .address(.mailPerAddress, network)], in: repositories)
    }

    /// The key of an address. Mails for accounts are counted apart: others would reveal by a refusal that there is such
    /// an account, and could keep its mails from it.
    private func asking(_ address: EmailAddress, onAccount: Bool = false) -> RateLimitKey {
        .name(onAccount ? "account \(address.folded)" : address.folded, .mailPerRecipient)
    }

    // MARK: Sites

    private static let day: TimeInterval = 86_400

    private static func key(of environment: CustomerSiteID) -> RateCounterKey {
        RateCounterKey(.textsPerEnvironment, of: environment.rawValue)
    }

    /// The keys that count a text about a request until it is answered, for the network of the site's visitor; none in
    /// a known network of the person.
    private func asking(
        _ subject: Subject?, at address: String?, _ environment: CustomerSiteID, in repositories: any Repositories
    ) throws -> [RateLimitKey] {
        if let subject, try VisitHistory(repositories).isKnown(subject, at: address, asOf: limits.clock.now()) {
            return []
        }
        return [.name(environment.rawValue, at: address, .textPerAddress)]
    }

    /// Whether a site may send a text to a number: its prefix is allowed, the daily budget is not spent, and
    /// the limit of unanswered texts for the visitor's network is not reached.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - subject: The owner of the number, or the pseudonym of an unregistered one.
    ///   - address: The visitor's address, as the site stated it; `nil` for none.
    ///   - environment: The site.
    func maySend(
        to number: PhoneNumber,
        of subject: Subject?,
        for address: String?,
        by environment: CustomerSite,
        in repositories: any Repositories
    ) throws -> Bool {
        guard environment.texts.admits(number),
            try !limits.isReached(
                asking(subject, at: address, environment.id, in: repositories), in: repositories)
        else { return false }
        guard let most = environment.texts.perDay else { return true }
        let sent = try repositories.counts.find(Self.key(of: environment.id))
        return (sent?.times(lasting: Self.day, at: limits.clock.now()) ?? 0) < most
    }

    /// Counts a queued text of a site.
    func spend(
        on stored: SignInExchangeRecord, by environment: CustomerSite, in repositories: any Repositories
    ) throws {
        try limits.count(asking(stored, in: repositories), in: repositories)
        guard environment.texts.perDay != nil else { return }
        _ = try repositories.counts.add(
            1, to: Self.key(of: environment.id), lasting: Self.day, at: limits.clock.now())
    }

    private func asking(_ stored: SignInExchangeRecord, in repositories: any Repositories) throws -> [RateLimitKey] {
        guard case .customerSite(let terms) = stored.method else { return [] }
        return try asking(
            stored.exchange.request.addressee, at: terms.address, terms.environment, in: repositories)
    }

    /// Notes the answer to a request after a text.
    func noteAnswered(_ stored: SignInExchangeRecord, in repositories: any Repositories) throws {
        guard case .customerSite = stored.method,
            try repositories.deliveries.all(about: stored.id).contains(where: \.isText)
        else { return }
        try limits.takeBack(asking(stored, in: repositories), in: repositories)
    }
}

extension MessageBudget.Party {
    /// Whether it is the owner.
    var isOwner: Bool { if case .owner = self { true } else { false } }
}
