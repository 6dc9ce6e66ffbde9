public import FoundationEssentialsCompat

/// The pairings of a device, with limits on their number and age, and the times until which strangers are refused.
public struct PairingBook: Sendable, Equatable {
    /// The largest number of pairings of a requester, and of an approver.
    static let most: [Pairing.Role: Int] = [.requester: 8, .approver: 64]
    static let longestUnused: TimeInterval = 90 * 86_400
    static let longest: TimeInterval = 365 * 86_400

    /// All stored pairings, including expired ones.
    package private(set) var all: [Pairing]
    /// The date until which each app refuses strangers, because too many codes were wrong.
    package private(set) var closedUntil: [NearbyAppID: Date]

    /// A book without pairings.
    public init() { self.init([]) }

    package init(_ pairings: [Pairing], closedUntil: [NearbyAppID: Date] = [:]) {
        all = pairings
        self.closedUntil = closedUntil
    }

    /// The pairings of an app that are valid at `now`, the last used one first.
    ///
    /// - Parameters:
    ///   - app: The app of the devices.
    ///   - role: The part that this device has in them.
    ///   - now: The date; pairings that are too old at it are omitted.
    public func current(for app: NearbyAppID, as role: Pairing.Role, at now: Date) -> [Pairing] {
        all.filter { $0.app == app && $0.role == role && Self.isGood($0, at: now) }
            .sorted { $0.lastUsed > $1.lastUsed }
    }

    /// Adds or replaces a pairing; when there are too many, the least recently used one is removed.
    ///
    /// - Parameters:
    ///   - pairing: The pairing to store; one with the same id and role is replaced.
    ///   - now: The date; pairings that are too old at it are forgotten.
    public mutating func keep(_ pairing: Pairing, at now: Date) {
        all.removeAll { ($0.id == pairing.id && $0.role == pairing.role) || !Self.isGood($0, at: now) }
        all.append(pairing)
        let alike = all.filter { $0.app == pairing.app && $0.role == pairing.role }
        let surplus = alike.count - (Self.most[pairing.role] ?? 0)
        guard surplus > 0 else { return }
        let leaving = Set(alike.sorted { $0.lastUsed < $1.lastUsed }.prefix(surplus).map(\.id))
        all.removeAll { $0.app == pairing.app && $0.role == pairing.role && leaving.contains($0.id) }
    }

    /// Records that a pairing has led to a link.
    ///
    /// - Parameters:
    ///   - id: The pairing that led to it.
    ///   - now: The current time.
    public mutating func use(_ id: PairingID, at now: Date) { use(id, reachedAt: "", at: now) }

    /// Records that a pairing has led to a link, and where; an empty host says nothing.
    package mutating func use(_ id: PairingID, reachedAt host: String, at now: Date) {
        for place in all.indices where all[place].id == id {
            all[place].lastUsed = now
            all[place].noteHost(host)
        }
    }

    /// Forgets a pairing; returns whether it existed.
    ///
    /// - Parameter id: The pairing that is removed.
    public mutating func forget(_ id: PairingID) -> Bool {
        let count = all.count
        all.removeAll { $0.id == id }
        return all.count < count
    }

    /// Forgets every pairing of an account, when it is signed out.
    ///
    /// - Parameter account: The account, in the words that the app gave with ``NearbyListenerDelegate/account``.
    public mutating func forget(account: String) { all.removeAll { $0.account == account } }

    /// Records that an app refuses strangers until a date, also after a restart.
    ///
    /// - Parameter app: The app that both ends must have.
    package mutating func close(_ app: NearbyAppID, until date: Date, at now: Date) {
        closedUntil = closedUntil.filter { $0.value > now }
        closedUntil[app] = date
    }

    private static func isGood(_ pairing: Pairing, at now: Date) -> Bool {
        now < pairing.lastUsed + longestUnused && now < pairing.made + longest
    }
}
