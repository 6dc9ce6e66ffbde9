/// The cached records of one name and type, indexed by content, and counted by sender.
struct RecordSet: Sendable {
    /// The records, in no order.
    private(set) var records: [CachedRecord] = []
    private var places: [RecordData: Int] = [:]
    /// The number of records of each sender.
    private var counts: [[UInt8]: Int] = [:]
    /// The instant of the last query for all of them by another host; noted for large sets only.
    private var lastAsked: ContinuousClock.Instant?

    var count: Int { records.count }
    var isEmpty: Bool { records.isEmpty }

    func place(of data: RecordData) -> Int? { places[data] }

    func count(of sender: [UInt8]) -> Int { counts[sender] ?? 0 }

    /// Adds a record whose data is new.
    mutating func append(_ record: CachedRecord) {
        places[record.record.data] = records.count
        counts[record.sender, default: 0] += 1
        records.append(record)
    }

    /// Replaces a record by one with the same data.
    mutating func replace(at place: Int, with record: CachedRecord) {
        if records[place].sender != record.sender {
            discount(records[place].sender)
            counts[record.sender, default: 0] += 1
        }
        records[place] = record
    }

    /// Changes a record; its data and its sender stay.
    mutating func update(at place: Int, _ change: (inout CachedRecord) -> Void) { change(&records[place]) }

    /// Changes every record; their data and their senders stay.
    mutating func updateAll(_ change: (inout CachedRecord) -> Void) {
        for place in records.indices { change(&records[place]) }
    }

    /// Removes a record; the last one takes its place.
    mutating func remove(at place: Int) -> CachedRecord {
        let removed = records[place]
        places[removed.record.data] = nil
        discount(removed.sender)
        let last = records.removeLast()
        if place < records.count {
            records[place] = last
            places[last.record.data] = place
        }
        return removed
    }

    /// Removes some records, and returns them.
    mutating func removeAll(where isOver: (CachedRecord) -> Bool) -> [CachedRecord] {
        let gone = records.filter(isOver)
        guard !gone.isEmpty else { return [] }
        let rest = records.filter { !isOver($0) }
        (records, places, counts) = ([], [:], [:])
        for record in rest { append(record) }
        return gone
    }

    /// A record that may give its place to one of a sender: of a few drawn at random, one of the sender that has most.
    /// A host that has none yet may take the place of any, another one only that of a host that has more.
    func placeToGive(to sender: [UInt8], jitter: Jitter) -> Int? {
        guard !records.isEmpty else { return nil }
        let drawn = jitter.numbers(Self.draws, below: records.count)
        let candidates = drawn.filter { !records[$0].isConfirmed && records[$0].sender != sender }
        let count = { (place: Int) in self.count(of: self.records[place].sender) }
        guard let place = candidates.max(by: { count($0) < count($1) }) else { return nil }
        let own = self.count(of: sender)
        return own == 0 || count(place) > own + 1 ? place : nil
    }

    /// Another host queried by multicast for these records, and knows some of them. In a large set, that counts once a
    /// second, so that a flood of queries costs little.
    mutating func noteAskedByAnother(
        _ question: Question,
        knowing answers: KnownAnswers,
        at now: ContinuousClock.Instant
    ) {
        if records.count > Self.large {
            if let lastAsked, now < lastAsked + .seconds(1) { return }
            lastAsked = now
        }
        for place in records.indices {
            let record = records[place].record
            guard question.isAnswered(by: record), !answers.contains(record) else { continue }
            records[place].noteAskedByAnother(at: now)
        }
    }

    /// Older records of a sender that has sent another one with the cache-flush bit leave. They get a second, since the
    /// records of one name may arrive in several packets. No other host can remove known records; and large sets are
    /// lists, which several hosts share.
    ///
    /// Standard: RFC 6762 §10.2.
    mutating func flush(from sender: [UInt8], except data: RecordData, at now: ContinuousClock.Instant) {
        guard records.count <= Self.large else { return }
        for place in records.indices {
            let other = records[place]
            guard other.sender == sender, other.received + .seconds(1) < now, other.record.data != data else {
                continue
            }
            records[place].leave(at: now)
        }
    }

    /// Counts a record of a sender less.
    private mutating func discount(_ sender: [UInt8]) {
        let rest = count(of: sender) - 1
        counts[sender] = rest > 0 ? rest : nil
    }

    /// The largest number of records of a set that is not treated as a large list.
    private static let large = 64
    /// The number of records that are drawn to choose one from.
    private static let draws = 8
}
