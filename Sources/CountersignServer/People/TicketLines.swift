/// The waiting tickets of a ``FairQueue``, with one line for each party; the lines take turns.
struct TicketLines<Party: Sendable & Hashable, Ticket: Sendable & Hashable>: Sendable {
    private struct Line {
        let party: Party
        var tickets: [Ticket]
    }

    /// The lines in the order of their turns.
    private var lines: [Line] = []
    /// The shares of the capacity.
    private var places: FairShare<Party, Ticket>

    init(capacity: Int) {
        places = FairShare(capacity: capacity)
    }

    /// The number of waiting tickets.
    var count: Int { places.count }
    var isEmpty: Bool { lines.isEmpty }

    /// Adds a ticket to the line of its party.
    ///
    /// A ticket beyond the capacity evicts the newest ticket of the party with the most; it is refused if its own party
    /// would have as many.
    mutating func enter(_ ticket: Ticket, of party: Party) -> FairQueue<Ticket>.EnqueueResult {
        let admission = places.admit(ticket, of: party, .waiting, taking: 1)
        guard admission.isAdmitted else { return .refused }
        for evicted in admission.givingWay { remove(evicted) }
        if let line = lines.firstIndex(where: { $0.party == party }) {
            lines[line].tickets.append(ticket)
        } else {
            lines.append(Line(party: party, tickets: [ticket]))
        }
        return admission.givingWay.first.map { .waitsInsteadOf($0) } ?? .waits
    }

    /// Removes the next ticket.
    mutating func next() -> Ticket? {
        guard !lines.isEmpty else { return nil }
        var line = lines.removeFirst()
        let ticket = line.tickets.removeFirst()
        if !line.tickets.isEmpty { lines.append(line) }
        places.release(ticket)
        return ticket
    }

    /// Removes the newest ticket of its party.
    private mutating func remove(_ ticket: Ticket) {
        guard let line = lines.firstIndex(where: { $0.tickets.last == ticket }) else { return }
        lines[line].tickets.removeLast()
        if lines[line].tickets.isEmpty { lines.remove(at: line) }
    }
}
