/// The bytes of the requests of one connection that were received and not answered.
struct RequestBytes: Sendable, Equatable {
    /// Bytes of the request that is being received.
    private var unfinished = 0
    /// Bytes of requests that were received whole.
    private var whole = 0
    /// Bytes of the last read.
    private var latest = 0

    /// Counts the bytes of one read, before they are parsed.
    mutating func receive(_ bytes: Int) {
        latest = bytes
        unfinished += bytes
    }

    /// Notes that a request ended in the last read, whose rest belongs to the next one.
    mutating func finishRequest() {
        whole += unfinished - latest
        unfinished = latest
    }

    /// Notes that one of `open` requests was answered.
    mutating func finishAnswer(of open: Int) {
        whole -= whole / max(1, open)
    }

    /// The memory of the requests, of which `open` have begun and are not answered.
    func memory(open: Int) -> Int {
        MemoryCost.copies * min(unfinished + whole, MemoryCost.longestRequest)
            + max(0, open - 1) * MemoryCost.queuedRequest
    }
}
