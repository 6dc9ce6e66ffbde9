internal import NIOCore

/// An input of one end of a connection; all inputs arrive in one sequence.
enum ConversationInput<Act: Sendable>: Sendable {
    /// Bytes have arrived.
    case bytes([UInt8])
    /// The peer has closed the connection, or it is broken.
    case closed
    /// A sent frame was written.
    case wrote
    /// The deadline that was set has passed.
    case time
    /// Another event, such as an action of the person.
    case act(Act)
}

/// One end of a connection. It merges received bytes, sent frames, deadlines and other events into one sequence.
///
/// It reads no more than the caller takes, and sending never waits: a peer that does not read stops neither the
/// deadlines nor the person.
struct Conversation<Act: Sendable>: Sendable {
    /// An input of the conversation.
    typealias Input = ConversationInput<Act>

    /// The time for a peer that does not read to receive the last message before the connection is closed.
    private static var lastWords: Duration { .seconds(2) }

    /// An input of a connection. A person's actions belong to no particular connection.
    private struct Arrival: Sendable {
        /// Its connection; `nil` when it is for any.
        let round: Int?
        let input: Input
    }

    private let inputs: AsyncStream<Arrival>
    /// Takes what comes in.
    private let input: AsyncStream<Arrival>.Continuation
    private let clock: TimeSource

    /// A conversation without a connection.
    init(clock: TimeSource) {
        (inputs, input) = AsyncStream.makeStream()
        self.clock = clock
    }

    /// Adds an event that belongs to no particular connection.
    func act(_ act: Act) { input.yield(Arrival(round: nil, input: .act(act))) }

    /// The output of one end: frames to send, and the deadline to be woken at.
    final class Output {
        /// Takes frames to be sent.
        private let outgoing: AsyncStream<[UInt8]>.Continuation
        private let timer: DeadlineTimer

        /// The output to one connection.
        fileprivate init(outgoing: AsyncStream<[UInt8]>.Continuation, timer: DeadlineTimer) {
            self.outgoing = outgoing
            self.timer = timer
        }

        /// Sends a frame that holds `bytes`.
        func send(_ bytes: [UInt8]) {
            if let frame = FrameReader.frame(of: bytes) { outgoing.yield(frame) }
        }

        /// Asks for ``ConversationInput/time`` at a deadline; `nil` for none.
        func wake(at deadline: ContinuousClock.Instant?) { timer.set(deadline) }
    }

    /// Runs the conversation: `take` gets one input after the other until it returns `false`.
    ///
    /// - Parameter round: The number of the connection in this conversation; inputs of earlier connections are ignored.
    func run(
        round: Int = 0,
        on channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        begin: @escaping (Output) async -> Void,
        take: @escaping (Input, Output) async -> Bool
    ) async {
        let (outgoing, out) = AsyncStream<[UInt8]>.makeStream()
        let (taken, taking) = AsyncStream<Void>.makeStream()
        let (clock, input) = (clock, input)
        let tell = { @Sendable (next: Input) -> Void in _ = input.yield(Arrival(round: round, input: next)) }
        let timer = DeadlineTimer(clock: clock) { tell(.time) }
        let output = Output(outgoing: out, timer: timer)

        try? await channel.executeThenClose { inbound, outbound in
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await Self.read(inbound, awaiting: taken, tell: tell)
                    return false
                }
                group.addTask {
                    await Self.write(outgoing, to: outbound, tell: tell)
                    return true
                }
                await begin(output)
                for await arrival in inputs where arrival.round == nil || arrival.round == round {
                    let next = arrival.input
                    if case .time = next { timer.stop() }
                    guard await take(next, output) else { break }
                    if case .bytes = next { taking.yield() }
                }
                timer.stop()
                taking.finish()
                out.finish()
                group.addTask {
                    try? await clock.sleep(until: clock.instant() + Self.lastWords)
                    return true
                }
                // The reader may end at any time; the writer gets a moment to send the last message.
                for await isLast in group where isLast { break }
                group.cancelAll()
            }
        }
    }

    /// Reads the next bytes only when the previous ones were handled.
    private static func read(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        awaiting taken: AsyncStream<Void>,
        tell: @Sendable (Input) -> Void
    ) async {
        var turns = taken.makeAsyncIterator()
        do {
            for try await buffer in inbound {
                tell(.bytes(Array(buffer.readableBytesView)))
                guard await turns.next() != nil else { return }
            }
        } catch {
            // A broken connection is treated as closed.
        }
        tell(.closed)
    }

    /// Writes frames until the last one was sent.
    private static func write(
        _ outgoing: AsyncStream<[UInt8]>,
        to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        tell: @Sendable (Input) -> Void
    ) async {
        for await frame in outgoing {
            guard (try? await outbound.write(ByteBuffer(bytes: frame))) != nil else {
                tell(.closed)
                return
            }
            tell(.wrote)
        }
    }
}
