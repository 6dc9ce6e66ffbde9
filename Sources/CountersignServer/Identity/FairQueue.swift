/// A bounded round-robin queue over networks: a network that sends many requests delays its own.
///
/// When the queue is full, a newcomer takes the place of the newest ticket of the network with the most tickets. It is
/// refused if its own network would then have as many.
struct FairQueue<Ticket: Sendable & Equatable>: Sendable {
    /// The result of entering the queue.
    enum EnqueueResult: Sendable, Equatable {
        case isServed
        case waits
        /// It waits, and another one is evicted.
        case waitsInsteadOf(Ticket)
        case refused
    }

    private struct Line {
        let network: String
        var tickets: [Ticket]
    }

    /// How many are served at once.
    private let mostServed: Int
    /// How many are served or wait at once.
    private let most: Int
    private var served = 0
    /// The networks that wait, in the order of their turns.
    private var lines: [Line] = []

    init(serving mostServed: Int, holding most: Int) {
        self.mostServed = mostServed
        self.most = most
    }

    /// How many are served or wait.
    var count: Int { served + lines.reduce(0) { $0 + $1.tickets.count } }

    /// Enters the queue; a ticket has to ``leave()`` in the end if it is served.
    mutating func enter(_ ticket: Ticket, from network: String) -> EnqueueResult {
        if served < mostServed {
            served += 1
            return .isServed
        }
        let own = lines.firstIndex { $0.network == network }
        guard count >= most else {
            wait(ticket, of: network, at: own)
            return .waits
        }
        let sizes = lines.map(\.tickets.count)
        guard let largest = sizes.max(), (own.map { sizes[$0] } ?? 0) + 1 < largest,
            let full = sizes.lastIndex(of: largest)
        else { return .refused }
        let gone = lines[full].tickets.removeLast()
        wait(ticket, of: network, at: own)
        return .waitsInsteadOf(gone)
    }

    /// Notes that one was served; returns the next, who is served now.
    mutating func leave() -> Ticket? {
        guard !lines.isEmpty else {
            served -= 1
            return nil
        }
        var line = lines.removeFirst()
        let next = line.tickets.removeFirst()
        if !line.tickets.isEmpty { lines.append(line) }
        return next
    }

    private mutating func wait(_ ticket: Ticket, of network: String, at place: Int?) {
        if let place {
            lines[place].tickets.append(ticket)
        } else {
            lines.append(Line(network: network, tickets: [ticket]))
        }
    }
}
