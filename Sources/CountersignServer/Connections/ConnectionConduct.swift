/// What goes on at one connection: which request is being read, which are being answered, and when it is over.
///
/// Answers come in the order of their requests. An answer may come before its request was read to the end, because
/// what was read is refused; then nothing after it counts, and the connection ends.
struct ConnectionConduct: Sendable, Equatable {
    /// How many requests have begun, been read to the end, been answered.
    private var begun = 0
    private var received = 0
    private var answered = 0
    /// How much of the body was read.
    private var length = 0
    /// The request after which the connection ends.
    private var last: Int?

    /// Whether a request that was received whole has no answer yet.
    var isAnswering: Bool { received > answered }

    /// Whether a request has begun and not ended.
    var isReading: Bool { begun > received }

    /// Whether the last answer was written: nothing may follow it.
    var hasAnsweredAll: Bool { last.map { answered >= $0 } ?? false }

    /// A request begins; `isLast` if the client says that it sends no other.
    mutating func begin(isLast: Bool) {
        begun += 1
        length = 0
        if isLast, last == nil { last = begun }
    }

    /// More of the body; says how long it is by now.
    mutating func read(_ bytes: Int) -> Int {
        length += bytes
        return length
    }

    /// The request was read to its end; whether the connection ends with it.
    mutating func finishReading() -> Bool {
        received += 1
        return isOver
    }

    /// An answer begins; whether it is the last one.
    mutating func beginAnswer() -> Bool {
        if answered >= received, last == nil { last = answered + 1 }
        return last.map { answered + 1 >= $0 } ?? false
    }

    /// The answer was written; whether the connection ends with it.
    mutating func finishAnswer() -> Bool {
        answered += 1
        return isOver
    }

    private var isOver: Bool {
        guard let last else { return false }
        return hasAnsweredAll && received >= last
    }
}
