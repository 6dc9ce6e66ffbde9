/// The one line of questions to the person: paired screens first, then networks in fair turn.
///
/// Networks that come often are last; before them come those about which the person was asked more, then those with
/// more connections; among equals the newest is first, so that coming early gains nothing. Questions beyond the limits
/// are not refused: they wait, and the person is not notified.
struct QuestionQueue: Sendable {
    /// The load of a network.
    typealias Load = (NearbyNetwork) -> Int

    /// The party that asks.
    enum Asker: Sendable, Hashable {
        /// A stranger, by its network.
        case stranger(NearbyNetwork)
        /// A paired screen.
        case paired(PairingID)

        /// Whether it is a paired screen.
        var isPaired: Bool { if case .paired = self { true } else { false } }
    }

    /// A screen that waits for its turn, or is served.
    struct Entry: Sendable {
        let id: ConnectionID
        let address: NearbyAddress
        /// The party that asks.
        var asker: Asker
    }

    /// The load that no honest network has: a screen that retries automatically comes 15 times in two windows at most.
    static let mostOfHonest = 20
    /// The length of a mute after "not now": as long as a window for strangers lasts.
    private static let muting = Duration.seconds(600)
    /// The time that questions are remembered.
    private static let memory = Duration.seconds(3_600)
    /// The questions of one paired screen within ``memory``, which bounds what a stolen one can do.
    private static let mostOfPairing = 5
    /// The number of consecutive refusals after which the person is asked whether to forget a paired screen.
    private static let refusalsBeforeForgetting = 3

    private var served: Entry?
    /// The waiting ones, the oldest first.
    private var waiting: [Entry] = []
    /// The questions that were put lately: so many as the limits allow.
    private var questions: [(asker: Asker, at: ContinuousClock.Instant)] = []
    /// The parties that may ask nothing, each until an instant; each is an answer of the person.
    private var mutes: [(entry: Entry, until: ContinuousClock.Instant)] = []
    private var refusals: [PairingID: Int] = [:]
    private let limits: ListenerLimits

    /// An empty line.
    init(limits: ListenerLimits) { self.limits = limits }

    var head: ConnectionID? { served?.id }

    /// The waiting ones, the next one first.
    func places(load: Load) -> [ConnectionID] { order(load: load).map(\.id) }

    /// The place that one would get, without giving it.
    ///
    /// A network and a paired screen may have few, and further ones do not displace them. When all places are
    /// taken, a stranger takes that of the last one, unless it comes after it or its network comes often.
    func place(for entry: Entry, load: Load) -> AdmissionControl.Admission {
        let own = (waiting + [served].compactMap { $0 }).count { $0.asker == entry.asker }
        guard own < limits.questionsOfNetwork else { return .refused(.busy) }
        if waiting.count(where: { $0.asker.isPaired == entry.asker.isPaired }) < limits.questions {
            return .admitted(evicting: [])
        }
        guard case .stranger(let network) = entry.asker, load(network) <= Self.mostOfHonest,
            let last = strangers(load: load).last, last.rank >= rank(of: network, load: load)
        else { return .refused(.busy) }
        return .admitted(evicting: [last.entry.id])
    }

    /// Joins the line, or returns the reason for a refusal; one already in it keeps its place.
    mutating func join(_ entry: Entry, at now: ContinuousClock.Instant, load: Load) -> AdmissionControl.Admission {
        guard head != entry.id, !waiting.contains(where: { $0.id == entry.id }) else { return .admitted(evicting: []) }
        guard !isMuted(entry, at: now) else { return .refused(.notNow) }
        let admission = place(for: entry, load: load)
        if case .admitted(let evicted) = admission {
            waiting.removeAll { evicted.contains($0.id) }
            waiting.append(entry)
        }
        return admission
    }

    mutating func leave(_ id: ConnectionID) {
        waiting.removeAll { $0.id == id }
        if head == id { served = nil }
    }

    /// Serves the next one that may ask, if none is served.
    mutating func advance(at now: ContinuousClock.Instant, load: Load) {
        questions.removeAll { $0.at + Self.memory <= now }
        mutes.removeAll { $0.until <= now }
        guard served == nil, let next = order(load: load).first(where: { mayAsk($0, at: now, load: load) }) else {
            return
        }
        waiting.removeAll { $0.id == next.id }
        served = next
        questions.append((next.asker, now))
    }

    /// The next instant that allows a waiting party to ask, even if nothing else happens; `nil` when there is none.
    func nextTurn(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard served == nil, !waiting.isEmpty else { return nil }
        return questions.map { $0.at + ($0.asker.isPaired ? Self.memory : limits.window) }.filter { $0 > now }.min()
    }

    /// The person said "not now", or "no". Returns the pairing that they may want to forget, if any.
    mutating func refuse(_ entry: Entry, at now: ContinuousClock.Instant) -> PairingID? {
        mutes.append((entry, now + Self.muting))
        guard case .paired(let pairing) = entry.asker else { return nil }
        refusals[pairing, default: 0] += 1
        return refusals[pairing, default: 0] >= Self.refusalsBeforeForgetting ? pairing : nil
    }

    /// The person said yes.
    mutating func approve(_ asker: Asker) {
        if case .paired(let pairing) = asker { refusals[pairing] = nil }
    }

    /// The waiting connections, the next one first: paired ones in order of arrival, then strangers.
    private func order(load: Load) -> [Entry] { waiting.filter(\.asker.isPaired) + strangers(load: load).map(\.entry) }

    /// The rank of a stranger, the lowest first: whether its network comes often, the number of its questions, its
    /// load, and the number of strangers that came after it.
    private typealias Rank = (Int, Int, Int, Int)

    /// The strangers that wait, the next one first.
    private func strangers(load: Load) -> [(rank: Rank, entry: Entry)] {
        var ranked: [(rank: Rank, entry: Entry)] = []
        for (age, entry) in waiting.reversed().enumerated() {
            guard case .stranger(let network) = entry.asker else { continue }
            ranked.append((rank(of: network, before: age, load: load), entry))
        }
        return ranked.sorted { $0.rank < $1.rank }
    }

    /// The rank of a network, given the number of strangers that came after it.
    private func rank(of network: NearbyNetwork, before age: Int = 0, load: Load) -> Rank {
        let (asker, weight) = (Asker.stranger(network), load(network))
        return (weight > Self.mostOfHonest ? 1 : 0, questions.count { $0.asker == asker }, weight, age)
    }

    /// Whether its question may be put now. Networks that come often put none of the second half, so that however many
    /// they are, they leave questions for others.
    private func mayAsk(_ entry: Entry, at now: ContinuousClock.Instant, load: Load) -> Bool {
        let own = questions.filter { $0.asker == entry.asker }
        guard !isMuted(entry, at: now) else { return false }
        guard case .stranger(let network) = entry.asker else { return own.count < Self.mostOfPairing }
        let window = limits.window
        let most = load(network) > Self.mostOfHonest ? limits.questionsBesideFlood : limits.questions
        return questions.count { !$0.asker.isPaired && now < $0.at + window } < most
            && own.count { now < $0.at + window } < limits.questionsOfNetwork
    }

    /// Whether the person wanted no question of it lately. A stranger is muted by its address and not by its network,
    /// since a home has one.
    private func isMuted(_ entry: Entry, at now: ContinuousClock.Instant) -> Bool {
        mutes.contains {
            now < $0.until && $0.entry.asker == entry.asker
                && (entry.asker.isPaired || $0.entry.address == entry.address)
        }
    }
}
