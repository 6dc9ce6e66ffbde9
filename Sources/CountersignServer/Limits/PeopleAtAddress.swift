internal import FoundationEssentialsCompat

/// The number of people at one network address within a day.
///
/// A shared address, such as that of a carrier, an office or a VPN, does not prove proximity. The counts are stored for
/// calendar days, and yesterday counts too.
struct PeopleAtAddress: Sendable {
    /// The maximum number of people of an unshared address.
    static let most = 4
    /// A day, in seconds.
    private static let span: TimeInterval = 86_400

    private let address: String

    /// The count of an address; `nil` where it cannot be seen.
    init?(_ address: String?) {
        guard let address else { return nil }
        self.address = CountedAddress.text(of: address)
    }

    /// Notes that a person signed in or decided a request there.
    func note(_ subject: Subject, in repositories: any Repositories, at now: Date) throws {
        let day = Self.day(of: now)
        let end = now + 2 * Self.span
        let person = SecretDigest(of: "\(day) \(address) \(subject)")
        let visit = SingleUse(.peoplePerAddress, of: person, until: end)
        guard try visit.isFirst(in: repositories, at: now) else { return }
        _ = try repositories.counts.add(1, to: key(of: day), lasting: 2 * Self.span, at: now)
    }

    /// Whether there are more than ``most``.
    func areMany(in repositories: any Repositories, at now: Date) throws -> Bool {
        let today = Self.day(of: now)
        return try [today, today - 1].contains { day in
            try repositories.counts.find(key(of: day)).map { $0.ends > now && $0.times > Self.most } ?? false
        }
    }

    private func key(of day: Double) -> RateCounterKey {
        RateCounterKey(.peoplePerAddress, of: "\(day) \(address)")
    }

    private static func day(of now: Date) -> Double { (now.timeIntervalSince1970 / span).rounded(.down) }
}

extension ClientAddressResolver {
    /// Whether a screen and a person are in one network with an unshared address.
    func samePlace(
        _ screen: String?, _ person: String?, in repositories: any Repositories, at now: Date
    ) throws -> SameNetwork {
        let network = sameNetwork(screen, person)
        guard network == .yes, try PeopleAtAddress(person)?.areMany(in: repositories, at: now) == true else {
            return network
        }
        return .unknown
    }
}
