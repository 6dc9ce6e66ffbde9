package import NIOCore

/// Limits for connections before a client has authenticated: their bytes and times.
///
/// Times are in seconds. None of them applies while a request that was received whole is answered or held open.
public struct ConnectionLimits: Sendable, Equatable {
    /// The memory for connections, and for requests until they are answered, in bytes. When it is used up, the network
    /// that holds most gives way first; ``MemoryLimit/room(forAtMost:isEncrypted:)`` says how much a machine has.
    public var room: Int
    /// The longest idle time of a connection between two requests, and the longest time for the head of one.
    public var longestSilence: Double
    /// The longest time for the rest of a request after its head.
    public var longestRequest: Double
    /// The longest time for a client to read what was sent to it.
    public var longestStall: Double
    /// The length of a body after which the connection is closed, in bytes. The server reads far less and discards the
    /// rest, so that the client still receives an error.
    public var longestBody: Int

    /// The number of connections that may wait to be accepted, as far as the system allows. Further clients try again
    /// after one second, then two, then four, so that screens that are switched on together would wait for long.
    package static let backlog = 4_096

    /// Limits the bytes that the kernel buffers for each connection of a listener while the server does not read them,
    /// as while it holds a request: by default they may be some megabytes.
    ///
    /// Standard: tcp(7), `SO_RCVBUF`: a connection has the value of the socket that accepted it.
    package static func boundUnreadBytes(of listener: any Channel) {
        _ = listener.setOption(.socketOption(.so_rcvbuf), value: 32_768)
    }

    /// Creates limits.
    public init(
        room: Int = 1_073_741_824,
        longestSilence: Double = 75,
        longestRequest: Double = 30,
        longestStall: Double = 30,
        longestBody: Int = 1_048_576
    ) {
        self.room = room
        self.longestSilence = longestSilence
        self.longestRequest = longestRequest
        self.longestStall = longestStall
        self.longestBody = longestBody
    }
}
