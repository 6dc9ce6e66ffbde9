internal import Countersign

/// The readers of an approver's events; each gets all of them.
struct InboxReaders: Sendable {
    typealias Events = AsyncThrowingStream<ApproverEvent, any Error>

    private var readers: [Int: Events.Continuation] = [:]
    private var last = 0

    var isEmpty: Bool { readers.isEmpty }

    /// Adds a reader.
    ///
    /// - Returns: Its number.
    mutating func join(_ reader: Events.Continuation) -> Int {
        last += 1
        readers[last] = reader
        return last
    }

    mutating func leave(_ number: Int) { readers[number] = nil }

    func tell(_ event: ApproverEvent) {
        for reader in readers.values { reader.yield(event) }
    }

    /// Ends all readers.
    mutating func finish(throwing error: ApprovalError) {
        let ended = readers
        readers = [:]
        for reader in ended.values { reader.finish(throwing: error) }
    }
}
