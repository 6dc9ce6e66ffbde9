internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Counts texts, which cost money: those with codes for devices, and those of sites.
///
/// A text counts when it is queued, and is given back when the gateway never takes it. A code that is typed shows that
/// the text was wanted: then its pause, its network and its calling code are as before.
struct MessageBudget: Sendable {
    let limits: StoredRateLimiter

    /// For whom a code is sent.
    enum Party: Sendable {
        /// A device of the person whose number it is already, or one in a network where that person was seen.
        case owner
        /// Any other device, at a network address; `nil` where that cannot be seen.
        case stranger(String?)
    }

    /// A network of 256 IPv4 addresses has four times the limit of one.
    private static let factorOfHolder = 4

    /// Counts a text with a code.
    ///
    /// - Parameter isSent: Whether it is sent. One that would have no effect is not, and costs nothing; but whoever asks
    ///   for it is paused like for any other, so that neither shows whether somebody has the number.
    /// - Throws: ``RateLimitError``.
    func spend(
        on number: PhoneNumber,
        for party: Party,
        isSent: Bool,
        in repositories: any Repositories
    ) throws {
        let (asking, money) = (asking(number, for: party), money(number, for: party))
        try limits.admit(asking + money, in: repositories)
        try limits.count(isSent ? asking + money : asking, in: repositories)
    }

    /// Whether the next text to a number has to wait.
    func isPaused(_ number: PhoneNumber, for party: Party, in repositories: any Repositories) throws -> Bool {
        try limits.isReached(
            asking(number, for: party).filter { $0.rule == .textPerNumber }, in: repositories)
    }

    /// Notes that the code in a text was typed: the next text costs what this one did.
    func noteTyped(_ number: PhoneNumber, by party: Party, in repositories: any Repositories) throws {
        var wanted = asking(number, for: party)
        if !party.isOwner { wanted.append(.name(number.callingCode, .textPerPrefix)) }
        try limits.takeBack(wanted, in: repositories)
    }

    /// Gives back what a text cost that the gateway never took.
    func giveBack(_ delivery: Delivery, in repositories: any Repositories) throws {
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

    /// For whom a code is sent to a device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - subject: The person whose sign-in it is; `nil` for none.
    ///   - number: The number that the code goes to.
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

    /// The keys that limit asking for the next text.
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

    // MARK: Sites

    private static let day: TimeInterval = 86_400

    private static func key(of environment: CustomerSiteID) -> RateCounterKey {
        RateCounterKey(.textsPerEnvironment, of: environment.rawValue)
    }

    /// The keys that count a text about a request until it is answered: for the network where the site says that its
    /// visitor is. A person in a network that they used before is no stranger.
    private func asking(
        _ subject: Subject?,
        at address: String?,
        _ environment: CustomerSiteID,
        in repositories: any Repositories
    ) throws -> [RateLimitKey] {
        if let subject, try VisitHistory(repositories).isKnown(subject, at: address, asOf: limits.clock.now()) {
            return []
        }
        return [.name(environment.rawValue, at: address, .textPerAddress)]
    }

    /// Whether a site may send a text to a number: that has one of its prefixes, its budget of the day is not
    /// spent, and not too many texts for its visitor's network were left unanswered.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - subject: The person who has it, or what stands for nobody.
    ///   - address: The visitor's address, as the environment says it; `nil` when it does not say.
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

    /// Counts a text of a site that is queued.
    func spend(
        on stored: SignInExchangeRecord,
        by environment: CustomerSite,
        in repositories: any Repositories
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

    /// Notes that the person answered a request after a text told them of it.
    func noteAnswered(_ stored: SignInExchangeRecord, in repositories: any Repositories) throws {
        guard case .customerSite = stored.method,
            try repositories.deliveries.all(about: stored.id).contains(where: \.isText)
        else { return }
        try limits.takeBack(asking(stored, in: repositories), in: repositories)
    }
}

extension MessageBudget.Party {
    /// Whether it is the person whose number it is.
    var isOwner: Bool { if case .owner = self { true } else { false } }
}
