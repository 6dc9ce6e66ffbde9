internal import CountersignTesting

/// The choices of one event: drawn from its own number, so that they do not depend on the events before it.
///
/// The events of one story have the same thread, and mostly choose the same person and the same sign-in.
struct HomeChoice {
    /// The number of random bits below the thread.
    private static let randomBits: UInt32 = 24

    /// The story that the event belongs to.
    let thread: Int
    private let random: SeededRandom

    init(_ number: UInt32) {
        thread = Int(number >> Self.randomBits)
        random = SeededRandom(seed: UInt64(number))
    }

    /// The number of an event in a story, with random bits.
    static func number(of thread: Int, _ bits: UInt64) -> UInt32 {
        UInt32(thread) << randomBits | UInt32(bits & (1 << UInt64(randomBits) - 1))
    }

    /// A number below `bound`, which is positive.
    func number(below bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }

    /// Whether something happens that does so `percent` times in a hundred.
    func happens(_ percent: Int) -> Bool { number(below: 100) < percent }

    /// One of the sign-ins, mostly that of the story; `nil` when there is none.
    func signIn(_ signIns: [RunningSignIn]) -> RunningSignIn? {
        let own = signIns.last { $0.thread == thread }
        return happens(85) ? own ?? any(signIns) : any(signIns)
    }

    /// One of the people, mostly that of the story; `nil` when there is none.
    func person(_ people: [HomePerson] = HomePerson.residents) -> HomePerson? {
        let own = HomePerson.residents[thread % HomePerson.residents.count]
        return happens(85) && people.contains(own) ? own : any(people)
    }

    /// A person who lives there, mostly not that of the story.
    func neighbour() -> HomePerson? {
        let own = HomePerson.residents[thread % HomePerson.residents.count]
        return any(happens(85) ? HomePerson.residents.filter { $0 != own } : HomePerson.residents)
    }

    /// One of the elements, each as likely.
    func any<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }
}
