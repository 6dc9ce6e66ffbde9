/// A bounded round-robin queue over networks: a network that sends many requests delays its own.
///
/// A new ticket in a full queue evicts the newest ticket of the network with the most tickets. It is refused if its own
/// network would then have as many.
///
/// A flood from very many networks still fills the queue. Tickets from known browsers therefore have a separate queue,
/// by person, and both queues take turns.
struct FairQueue<Ticket: Sendable & Hashable>: Sendable {
    /// The result of entering the queue.
    enum EnqueueResult: Sendable, Equatable {
        case isServed
        case waits
        /// It waits, and evicts another one.
        case waitsInsteadOf(Ticket)
        case refused
    }

    /// The maximum number of tickets that are served at once.
    private let mostServed: Int
    private var served = 0
    private var others: TicketLines<String, Ticket>
    /// The queue for known browsers.
    private var known: TicketLines<Subject, Ticket>
    /// Whether the next turn is that of the queue for known browsers.
    private var servesKnownNext = true

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - mostServed: The maximum number of tickets that are served at once.
    ///   - most: The maximum number of tickets that are served or wait, except in the queue for known browsers.
    ///   - mostKnown: The capacity of the queue for known browsers.
    init(serving mostServed: Int, holding most: Int, reserving mostKnown: Int) {
        self.mostServed = mostServed
        others = TicketLines(capacity: most - mostServed)
        known = TicketLines(capacity: mostKnown)
    }

    /// The number of tickets that are served or wait.
    var count: Int { served + others.count + known.count }

    /// Enters the queue; a served ticket has to ``leave()``.
    ///
    /// - Parameter person: The person of the known browser; `nil` for another browser. If the queue for known browsers
    ///   is full, the ticket waits with its network.
    mutating func enter(
        _ ticket: Ticket, from network: String, inKnownBrowserOf person: Subject? = nil
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

    /// Notes that a ticket was served; returns the next one, which is served now.
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
