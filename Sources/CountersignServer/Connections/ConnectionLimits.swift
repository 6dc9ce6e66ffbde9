/// Limits for connections before a client has authenticated: their number, bytes and times.
///
/// Times are in seconds. None of them applies while a request that was received whole is answered or held open.
public struct ConnectionLimits: Sendable, Equatable {
    /// The largest number of open connections. Beyond it, the one that has been idle longest is closed for the next.
    public var most: Int
    /// How long a connection may be idle between two requests, or take to send the head of one.
    public var longestSilence: Double
    /// How long the rest of a request may take after its head.
    public var longestRequest: Double
    /// How long a client may take to read what was sent to it.
    public var longestStall: Double
    /// The number of bytes of a body after which the connection is closed. The server reads far fewer and discards the
    /// rest, so that the client still receives an error.
    public var longestBody: Int

    /// How many connections may wait to be accepted, as far as the system allows. When there are more, clients try
    /// again after one second, then two, then four: so screens that are switched on together would wait for many
    /// seconds.
    static let backlog = 4_096

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - most: The largest number of open connections; 60,000 by default.
    ///   - longestSilence: Idle time between requests, and for the head of one, in seconds; 75 by default.
    ///   - longestRequest: Time for the rest of a request after its head, in seconds; 30 by default.
    ///   - longestStall: Time in which a client must read what was sent, in seconds; 30 by default.
    ///   - longestBody: Bytes of a body before the connection is closed; 1 MiB by default.
    public init(
        most: Int = 60_000,
        longestSilence: Double = 75,
        longestRequest: Double = 30,
        longestStall: Double = 30,
        longestBody: Int = 1_048_576
    ) {
        self.most = most
        self.longestSilence = longestSilence
        self.longestRequest = longestRequest
        self.longestStall = longestStall
        self.longestBody = longestBody
    }
}
