internal import Countersign
internal import FoundationEssentialsCompat

/// The sessions in memory, bounded in number: for all together, and for each person.
///
/// Sessions that give way are returned, so that their files can be removed.
struct SessionMemory: Sendable {
    /// The most sessions of one person: many devices at many sites.
    static let mostOfOne = 200
    /// The time between two searches for sessions whose time is over, in seconds.
    private static let sweep: TimeInterval = 3_600

    struct Entry: Sendable {
        let digest: SecretDigest
        var session: GateSession
        /// The last check that the server answered; `nil` after a restart.
        var checked: CheckedSession?
        /// The last attempt that it did not answer.
        var tried: Date?

        /// Whether the last attempt failed, within these seconds.
        func wasTried(within span: TimeInterval, of now: Date) -> Bool {
            tried.map { (0..<span).contains(now.timeIntervalSince($0)) } ?? false
        }
    }

    private let capacity: Int
    private var entries: SecondChanceCache<SecretDigest, Entry>
    private var people: [Subject: Set<SecretDigest>] = [:]
    private var swept: Date?

    init(capacity: Int) {
        self.capacity = capacity
        entries = SecondChanceCache(capacity: capacity)
    }

    /// A session, which counts as used from now on.
    mutating func use(_ digest: SecretDigest) -> Entry? { entries.use(digest) }

    func peek(_ digest: SecretDigest) -> Entry? { entries.peek(digest) }

    /// Takes a new session in, and returns those that give way to it: those whose time is over, and one of the same person
    /// before one of another.
    mutating func add(_ new: Entry, at now: Date) -> [Entry] {
        var removed = removeExpired(at: now)
        let subject = new.session.person.subject
        let own = people[subject] ?? []
        if own.count >= Self.mostOfOne || entries.count >= capacity,
            let idle = own.compactMap(entries.peek).min(by: Self.isIdler)
        {
            remove(idle.digest)
            removed.append(idle)
        }
        if let displaced = entries.put(new, for: new.digest)?.value {
            forget(displaced)
            removed.append(displaced)
        }
        people[subject, default: []].insert(new.digest)
        return removed
    }

    /// Replaces an entry; returns `false` where its session has ended meanwhile.
    mutating func replace(by new: Entry) -> Bool {
        guard entries.peek(new.digest) != nil else { return false }
        entries.put(new, for: new.digest)
        return true
    }

    @discardableResult
    mutating func remove(_ digest: SecretDigest) -> Entry? {
        guard let entry = entries.peek(digest) else { return nil }
        entries.remove(digest)
        forget(entry)
        return entry
    }

    private mutating func removeExpired(at now: Date) -> [Entry] {
        if let swept, (0..<Self.sweep).contains(now.timeIntervalSince(swept)) { return [] }
        swept = now
        let expired = people.values.joined().compactMap(entries.peek).filter { $0.session.ends <= now }
        for entry in expired { remove(entry.digest) }
        return expired
    }

    private mutating func forget(_ entry: Entry) {
        let subject = entry.session.person.subject
        people[subject]?.remove(entry.digest)
        if people[subject]?.isEmpty == true { people[subject] = nil }
    }

    /// Whether a session was used before another, as its checks show.
    private static func isIdler(_ one: Entry, than other: Entry) -> Bool {
        let (first, second) = (one.checked?.checked ?? .distantPast, other.checked?.checked ?? .distantPast)
        return first == second ? one.session.ends < other.session.ends : first < second
    }
}
