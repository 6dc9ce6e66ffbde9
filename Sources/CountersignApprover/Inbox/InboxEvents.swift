internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The events of an inbox, one after another, for as long as they are read.
///
/// ```swift
/// for await event in authenticator.requests() {
///     if case .arrived(let request) = event { await screen.show(try await authenticator.look(at: request.id)) }
/// }
/// ```
///
/// The server is polled by long requests, so that a request arrives as soon as it is made, and an idle network is used
/// about twice a minute. Several readers ask separately.
public struct InboxEvents: AsyncSequence, Sendable {
    /// The events of an inbox.
    public typealias Element = InboxEvent

    private let client: ApproverClient

    init(asking client: ApproverClient) { self.client = client }

    /// Begins to read.
    ///
    /// - Returns: An iterator that begins with what waits now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(asking: client) }

    /// Reads the events one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: ApproverClient
        private var contents = InboxContents()
        private var events: [InboxEvent] = []
        private var tag: String?
        private var failures = 0
        /// The pause after the last failure.
        private var pause = Duration.zero
        private var hasEnded = false

        init(asking client: ApproverClient) { self.client = client }

        /// Waits for the next event.
        ///
        /// - Returns: The event; `nil` after ``InboxEvent/ended(_:)``, or when the task is cancelled.
        public mutating func next() async -> InboxEvent? {
            while events.isEmpty, !hasEnded, !Task.isCancelled {
                if failures > 0 { await rest(pause) }
                await ask()
            }
            guard !Task.isCancelled, !events.isEmpty else { return nil }
            return events.removeFirst()
        }

        /// Asks once, until the answer comes or the next request ends.
        private mutating func ask() async {
            events += contents.expire(at: await client.date)
            guard events.isEmpty else { return }
            let began = client.clock.instant()
            switch await InboxPoll(client: client, tag: tag).outcome(until: contents.nextDeadline) {
            case .listed(let inbox, let newTag):
                (tag, failures) = (newTag, 0)
                events += contents.take(inbox)
                // A server that gives no tag cannot hold the next request open.
                if newTag == nil, events.isEmpty { await rest(Self.shortestRound) }
            case .unchanged:
                failures = 0
                // A server that holds nothing open is not asked all the time.
                if client.clock.instant() - began < .seconds(1) { await rest(Self.shortestRound) }
            case .deadline:
                break
            case .failed(let error):
                fail(error)
            }
            events = contents.expire(at: await client.date) + events
        }

        private mutating func fail(_ error: ApprovalError) {
            if error.isTemporary {
                failures += 1
                pause = InboxPause.after(failures, asked: error.retryAfter)
                events.append(.temporaryFailure(error, retryingIn: pause))
            } else {
                hasEnded = true
                if error.code != .cancelled { events.append(.ended(error)) }
            }
        }

        /// Waits, but not beyond the end of a request: it must not be shown as open while no server is reached.
        private func rest(_ pause: Duration) async {
            let clock = client.clock
            var end = clock.instant() + pause
            if let deadline = contents.nextDeadline { end = Swift.min(end, await client.instant(of: deadline)) }
            try? await clock.sleep(until: end)
        }

        /// The pause before asking a server again that did not hold the last request open.
        private static let shortestRound = Duration.seconds(5)
    }
}

/// The pauses before an unreachable server is retried.
enum InboxPause {
    /// The longest pause when the server asks for one.
    private static let longest = Duration.seconds(600)

    /// The pause after so many failures in a row: a second, and twice as long each time, to about a minute.
    ///
    /// - Parameter asked: The pause that the server asks for; `nil` if unknown.
    static func after(_ failures: Int, asked: Duration?) -> Duration {
        max(.seconds(1 << min(failures - 1, 6)), min(asked ?? .zero, longest))
    }
}

extension ApprovalError {
    /// Whether an inbox is polled again later: its requests stay pending.
    var isTemporary: Bool { [.unreachable, .busy, .badAnswer, .notTrusted, .accountLocked].contains(code) }
}

/// One poll of an inbox.
struct InboxPoll: Sendable {
    /// The answer to the question.
    enum Outcome: Sendable {
        /// The list, and the tag that names it in the next question.
        case listed(AuthenticatorInbox, tag: String?)
        /// The list is the same as before.
        case unchanged
        /// A request has ended before there was an answer.
        case deadline
        /// There is no answer.
        case failed(ApprovalError)
    }

    /// The requested holding time of the poll, in seconds.
    private static let hold = 30

    let client: ApproverClient
    /// The tag of the list that is known; `nil` when none is.
    let tag: String?

    /// Asks until the server's clock shows a date; `nil` asks to the end.
    func outcome(until deadline: Date?) async -> Outcome {
        guard let deadline else { return await ask() }
        let end = await client.instant(of: deadline)
        let clock = client.clock
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await ask() }
            group.addTask {
                try? await clock.sleep(until: end)
                return .deadline
            }
            let first = await group.next() ?? .deadline
            group.cancelAll()
            return first
        }
    }

    /// Asks, and waits for the answer.
    func ask() async -> Outcome {
        var call = ApproverCall(.get, "inbox")
        if let tag {
            call.hold = Self.hold
            call.fields[.ifNoneMatch] = tag
            if let prefer = HTTPField.Name("Prefer"), let wait = WaitPreference(seconds: Self.hold) {
                call.fields[prefer] = wait.headerValue
            }
        }
        do throws(ApprovalError) {
            let answer = try await client.send(call)
            if answer.response.status == .notModified, tag != nil { return .unchanged }
            guard answer.response.status == .ok else { return .failed(ApprovalError(.badAnswer, because: "no list")) }
            do throws(UnreadableAnswerError) {
                let inbox = try answer.decoded(AuthenticatorInbox.self)
                await client.observe(inbox.date, holding: call.hold)
                return .listed(inbox, tag: answer.response.headerFields[.eTag])
            } catch {
                return .failed(ApprovalError(.badAnswer, because: error.reason))
            }
        } catch {
            return .failed(error)
        }
    }
}

extension AuthenticatorInbox {
    /// The server's date.
    fileprivate var date: Date { Date(named: serverTime) }
}
