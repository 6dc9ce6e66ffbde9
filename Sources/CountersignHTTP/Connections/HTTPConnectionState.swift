/// The state of one connection: the requests that are being read and answered, and its end.
///
/// Answers are written in the order of their requests. When a request is refused before it was read to its end, all
/// later input is ignored, and the connection ends.
struct HTTPConnectionState: Sendable, Equatable {
    /// The numbers of requests that have begun, that were read to their end, and that were answered.
    private var begun = 0
    private var received = 0
    private var answered = 0
    /// The number of bytes of the current body that were read.
    private var length = 0
    /// The request after which the connection ends.
    private var last: Int?

    /// Whether a request that was received whole has no answer yet.
    var isAnswering: Bool { received > answered }

    /// The number of requests that have begun and have no answer yet.
    var open: Int { max(0, begun - answered) }

    /// Whether a request has begun and not ended.
    var isReading: Bool { begun > received }

    /// Whether the last answer was written: nothing may follow it.
    var hasAnsweredAll: Bool { last.map { answered >= $0 } ?? false }

    /// Notes that a request begins; `isLast` if the client announces that it sends no other.
    mutating func begin(isLast: Bool) {
        begun += 1
        length = 0
        if isLast, last == nil { last = begun }
    }

    /// Adds bytes of the body, and returns their number so far.
    mutating func read(_ bytes: Int) -> Int {
        length += bytes
        return length
    }

    /// Notes that the request was read to its end, and returns whether the connection ends now.
    mutating func finishReading() -> Bool {
        received += 1
        return isOver
    }

    /// Notes that an answer begins, and returns whether it is the last one.
    ///
    /// - Parameter isEnding: Whether it is to be the last one, unless another request has begun.
    mutating func beginAnswer(isEnding: Bool = false) -> Bool {
        let isLast = answered >= received || isEnding && begun == answered + 1
        if isLast, last == nil { last = answered + 1 }
        return last.map { answered + 1 >= $0 } ?? false
    }

    /// Notes that the answer was written, and returns whether the connection ends now.
    mutating func finishAnswer() -> Bool {
        answered += 1
        return isOver
    }

    private var isOver: Bool {
        guard let last else { return false }
        return hasAnsweredAll && received >= last
    }
}
