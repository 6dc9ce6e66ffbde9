/// Estimates of the memory that connections and requests take, in bytes.
///
/// They were measured as resident memory with thousands of connections of one kind, and rounded up for what the kernel
/// keeps of each.
enum MemoryCost {
    /// An open connection: its pipeline, the task that waits for its first request, and what the kernel keeps of it.
    static let connection = 24_576
    /// TLS on a connection: its state and the two buffers for records.
    static let encryption = 65_536
    /// A request that is held at its connection, without a task.
    static let heldAtConnection = 8_192
    /// A request that is held in a task, which keeps the frames of the deepest call that it made.
    static let heldInTask = 32_768
    /// A request behind another one on the same connection, which is parsed and waits in a queue.
    static let queuedRequest = 1_536
    /// Answers that a client does not read: what is written before the server stops to write, and the kernel's buffer.
    static let unreadAnswers = 131_072
    /// One hash of a password.
    static let passwordHash = 134_217_728

    /// The copies of a received byte of a request: one in the buffer that it was read from, one in what was made of it.
    static let copies = 2
    /// The most bytes of a request that are kept: the rest of a longer body is discarded.
    static let longestRequest = 131_072
    /// Smaller amounts are part of a connection's own, and changes of less are not counted: most requests change
    /// nothing.
    static let grain = 8_192
}
