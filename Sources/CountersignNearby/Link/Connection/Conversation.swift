internal import Countersign
internal import NIOCore

/// What comes to one end of a connection, in one order.
enum ConversationInput<Act: Sendable>: Sendable {
    /// Bytes have arrived.
    case bytes([UInt8])
    /// The other end has closed, or the connection is broken.
    case closed
    /// Something that was sent has left.
    case wrote
    /// The deadline that was set is there.
    case time
    /// Something happens besides.
    case act(Act)
}

/// One end of a connection: what arrives, leaves and happens besides, made one sequence.
///
/// No more is read than is taken, and sending never waits: an end that does not listen stops neither the clock
/// nor the person.
struct Conversation<Act: Sendable>: Sendable {
    /// What comes in.
    typealias Input = ConversationInput<Act>

    /// How long an end that does not listen is waited for, to take the last words.
    private static var lastWords: Duration { .seconds(2) }

    /// An input of a connection; what a person does is for whichever there is.
    private struct Arrival: Sendable {
        /// Which connection it belongs to; `nil` when it is for any.
        let round: Int?
        /// What has happened.
        let input: Input
    }

    /// All that comes in.
    private let inputs: AsyncStream<Arrival>
    /// Takes what comes in.
    private let input: AsyncStream<Arrival>.Continuation
    /// The time.
    private let clock: TimeSource

    /// A conversation without a connection.
    init(clock: TimeSource) {
        (inputs, input) = AsyncStream.makeStream()
        self.clock = clock
    }

    /// Lets something happen there.
    func act(_ act: Act) {
        input.yield(Arrival(round: nil, input: .act(act)))
    }

    /// What one end says, and when it wants to be woken.
    final class Output {
        /// Takes frames to be sent.
        private let outgoing: AsyncStream<[UInt8]>.Continuation
        /// Wakes this end.
        private let timer: DeadlineTimer

        /// What one connection takes.
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

    /// Holds the conversation; `take` is given one input after the other until it returns `false`.
    ///
    /// - Parameter round: Which connection of this conversation it is; nothing of an earlier one is taken for its own.
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
                // The reader ends when it likes; the writer has something to say, for a moment.
                for await isLast in group where isLast { break }
                group.cancelAll()
            }
        }
    }

    /// Reads a piece, and the next one when that was taken.
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
            // A connection that breaks is one that ends.
        }
        tell(.closed)
    }

    /// Writes frames until the last one has left.
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
