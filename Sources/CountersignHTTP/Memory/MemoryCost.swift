/// Estimates of the memory that connections and requests take, in bytes.
///
/// They were measured as resident memory with thousands of connections of one kind, and rounded up for the memory of
/// the kernel.
package enum MemoryCost {
    /// An open connection: its pipeline, the task that waits for its first request, and the memory of the kernel.
    package static let connection = 24_576
    /// TLS on a connection: its state and the two buffers for records.
    static let encryption = 65_536
    /// A request that is held at its connection, without a task.
    static let heldAtConnection = 8_192
    /// A request that is held in a task, which keeps the frames of the deepest call that it made.
    static let heldInTask = 32_768
    /// A parsed request behind another one on the same connection.
    static let queuedRequest = 1_536
    /// Answers that a client does not read: those written before the server stops writing, and the kernel's buffer.
    static let unreadAnswers = 131_072
    /// One hash of a password.
    static let passwordHash = 134_217_728

    /// The copies of a received byte of a request: one in the buffer of the connection, one in the parsed request.
    static let copies = 2
    /// The largest part of a request in memory: the rest of a longer body is discarded.
    static let longestRequest = 131_072
    /// The smallest amount that counts beside the connection's own, and the smallest change: most requests change
    /// nothing.
    static let grain = 8_192
}
