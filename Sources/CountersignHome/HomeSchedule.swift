internal import CountersignTesting

/// A list of events, drawn from a seed or written down.
///
/// ```swift
/// let report = try await home.run(HomeSchedule(seed: 7))
/// ```
public struct HomeSchedule: Sendable, Hashable {
    /// The seed of the schedule, and of everything that is drawn in its run.
    public let seed: UInt64
    /// The events, the first one first.
    public var events: [HomeEvent]

    /// Creates a schedule of given events.
    public init(seed: UInt64, events: [HomeEvent]) {
        self.seed = seed
        self.events = events
    }

    /// Draws a schedule: the same seed, the same events.
    ///
    /// It tells up to three stories at the same time, in which acts are left out, repeated and disturbed by others.
    public init(seed: UInt64) {
        let draw = Draw(seed: seed)
        var stories = (0..<draw.any([1, 1, 1, 2, 2, 3])).map { _ in ArraySlice(draw.any(Home.stories)) }
        let failures = draw.any([0, 5, 15])
        var events: [HomeEvent] = []
        while let thread = draw.anyPlace(of: stories) {
            let isDisturbed = draw.below(100) < 15
            let act = isDisturbed ? draw.any(Self.weighted) : stories[thread].first ?? ""
            // Some acts are repeated, and some are left out.
            if !isDisturbed, draw.below(100) >= 7 { stories[thread].removeFirst() }
            guard draw.below(100) >= 5 else { continue }
            events.append(draw.event(act, of: thread, failing: failures))
        }
        self.seed = seed
        self.events = events
    }

    /// The names of all acts, each as often as its weight.
    private static let weighted = Home.acts.flatMap { Array(repeating: $0.name, count: $0.weight) }
}

/// Draws from the seed of a schedule.
private struct Draw {
    private let random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed ^ 0x5EED_0F5C_4ED1_1E00) }

    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    func any<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// The place of a list that is not empty; `nil` when all are.
    func anyPlace<Element>(of lists: [ArraySlice<Element>]) -> Int? {
        let places = lists.indices.filter { !lists[$0].isEmpty }
        return places.isEmpty ? nil : any(places)
    }

    func event(_ act: String, of thread: Int, failing percent: Int) -> HomeEvent {
        let fate = below(100) < percent ? any(Array(HomeFate.allCases.dropFirst())) : .arrives
        return HomeEvent(
            after: any([1, 1, 2, 3, 6, 11]), act, choosing: HomeChoice.number(of: thread, random.next()), fate: fate)
    }
}
