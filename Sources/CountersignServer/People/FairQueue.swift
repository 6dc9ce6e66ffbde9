internal import Countersign

/// A bounded round-robin queue over networks: a network that sends many requests delays its own.
///
/// A newcomer to a full queue takes the place of the newest ticket of the network with the most tickets. It is refused
/// if its own network would then have as many.
///
/// So a flood from very many networks fills the queue. Tickets from known browsers therefore have places of their own,
/// and take every second turn while there are both: neither kind keeps the other from its turn. Among them the people
/// who signed in take turns, as networks do.
struct FairQueue<Ticket: Sendable & Hashable>: Sendable {
    /// The result of entering the queue.
    enum EnqueueResult: Sendable, Equatable {
        case isServed
        case waits
        /// It waits, and another one is evicted.
        case waitsInsteadOf(Ticket)
        case refused
    }

    /// The maximum number of tickets that are served at once.
    private let mostServed: Int
    private var served = 0
    private var others: TicketLines<String, Ticket>
    /// Those that wait in the places of known browsers.
    private var known: TicketLines<Subject, Ticket>
    /// Whether the next turn is that of a known browser, if one waits.
    private var servesKnownNext = true

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - mostServed: The maximum number of tickets that are served at once.
    ///   - most: The maximum number of tickets that are served or wait, without those that wait in the places of known
    ///     browsers.
    ///   - mostKnown: The maximum number of tickets that wait in the places of known browsers.
    init(serving mostServed: Int, holding most: Int, reserving mostKnown: Int) {
        self.mostServed = mostServed
        others = TicketLines(capacity: most - mostServed)
        known = TicketLines(capacity: mostKnown)
    }

    /// The number of tickets that are served or wait.
    var count: Int { served + others.count + known.count }

    /// Enters the queue; a ticket has to ``leave()`` in the end if it is served.
    ///
    /// - Parameter person: The person whose known browser sent it; `nil` when none did. If there is no more room in the
    ///   places of known browsers, the ticket waits like any other of its network.
    mutating func enter(
        _ ticket: Ticket,
        from network: String,
        inKnownBrowserOf person: Subject? = nil
    ) -> EnqueueResult {
        if served < mostServed {
            served += 1
            return .isServed
        }
        if let person {
            let result = known.enter(ticket, of: person)
            guard result == .refused else { return result }
        }
        return others.enter(ticket, of: network)
    }

    /// Notes that one was served; returns the next, who is served now.
    mutating func leave() -> Ticket? {
        let next: Ticket?
        if !known.isEmpty, servesKnownNext || others.isEmpty {
            next = known.next()
            servesKnownNext = false
        } else {
            next = others.next()
            servesKnownNext = true
        }
        if next == nil { served -= 1 }
        return next
    }
}
