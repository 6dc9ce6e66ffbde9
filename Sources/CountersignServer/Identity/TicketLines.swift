/// The tickets that wait in a ``FairQueue``: a line for each party, and the lines take turns.
struct TicketLines<Party: Sendable & Equatable, Ticket: Sendable & Equatable>: Sendable {
    private struct Line {
        let party: Party
        var tickets: [Ticket]
    }

    /// The parties that wait, in the order of their turns.
    private var lines: [Line] = []

    /// How many tickets wait.
    var count: Int { lines.reduce(0) { $0 + $1.tickets.count } }
    var isEmpty: Bool { lines.isEmpty }

    /// Adds a ticket to the line of its party.
    ///
    /// - Parameter isFull: Whether there is no more room. The ticket then takes the place of the newest one of the
    ///   party with the most; it is refused if its own party would have as many.
    mutating func enter(_ ticket: Ticket, of party: Party, isFull: Bool) -> FairQueue<Ticket>.EnqueueResult {
        let own = lines.firstIndex { $0.party == party }
        guard isFull else {
            append(ticket, of: party, at: own)
            return .waits
        }
        let sizes = lines.map(\.tickets.count)
        guard let largest = sizes.max(), (own.map { sizes[$0] } ?? 0) + 1 < largest,
            let full = sizes.lastIndex(of: largest)
        else { return .refused }
        let evicted = lines[full].tickets.removeLast()
        append(ticket, of: party, at: own)
        return .waitsInsteadOf(evicted)
    }

    /// Removes the ticket whose turn it is.
    mutating func next() -> Ticket? {
        guard !lines.isEmpty else { return nil }
        var line = lines.removeFirst()
        let ticket = line.tickets.removeFirst()
        if !line.tickets.isEmpty { lines.append(line) }
        return ticket
    }

    private mutating func append(_ ticket: Ticket, of party: Party, at place: Int?) {
        if let place {
            lines[place].tickets.append(ticket)
        } else {
            lines.append(Line(party: party, tickets: [ticket]))
        }
    }
}
