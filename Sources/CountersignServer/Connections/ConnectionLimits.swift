/// How much a client may ask of the server before it has said anything: connections, bytes, and patience.
///
/// Times are in seconds. A request that was received whole, and is answered or held open, has as long as it takes.
public struct ConnectionLimits: Sendable, Equatable {
    /// How many connections may be open. Beyond that the one that has been silent for longest gives way to the next.
    public var most: Int
    /// How long a connection may stand between two requests, or take to send the head of one.
    public var longestSilence: Double
    /// How long the rest of a request may take after its head.
    public var longestRequest: Double
    /// How long a client may refuse to read what it asked for.
    public var longestStall: Double
    /// After how many bytes of a body the connection is closed. Far fewer are read; the rest is thrown away, so that
    /// the client still hears why.
    public var longestBody: Int

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
