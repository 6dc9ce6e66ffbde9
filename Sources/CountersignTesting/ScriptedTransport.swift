public import CountersignRequester
public import CountersignWire
public import HTTPTypes
internal import NIOConcurrencyHelpers

/// A network of one server with scripted answers, which records its requests.
///
/// ```swift
/// let network = ScriptedTransport([
///     "/token": [.failure(TransportError(.interrupted, because: "lost")), .json(tokens)]
/// ])
/// let signIn = SignIn(
///     at: issuer,
///     as: client,
///     for: scope,
///     in: RequesterContext(over: network, clock: clock.skipping, random: SeededRandom(seed: 1).source)
/// )
/// #expect(network.sent(to: "/token").count == 2)
/// ```
public final class ScriptedTransport: HTTPTransport {
    /// The outcome of one request.
    public enum Reply: Sendable {
        /// This answer comes.
        case answer(HTTPAnswer)
        /// No answer comes, for this reason.
        case failure(TransportError)
        /// No answer ever; the request ends when its task is cancelled.
        case silence
    }

    /// One request that was sent.
    public struct SentRequest: Sendable {
        /// Method, path and header fields.
        public let request: HTTPRequest
        /// The whole body; empty for none.
        public let body: [UInt8]
        /// The time that the caller would have waited.
        public let limit: Duration

        /// The path of the request, without a query.
        public var path: String { String((request.path ?? "/").prefix { $0 != "?" }) }

        /// The parameters in the body; empty if it holds none.
        public var form: Form { (try? Form(parsing: body)) ?? Form() }
    }

    private struct State {
        var script: [String: [Reply]]
        var sent: [SentRequest] = []
        var watchers: [(path: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: NIOLockedValueBox<State>

    /// A server that answers the requests for each path in turn.
    ///
    /// - Parameter script: The replies for each path, without a query. The last one is repeated; an unknown path is
    ///   answered with 404.
    public init(_ script: [String: [Reply]] = [:]) { state = NIOLockedValueBox(State(script: script)) }

    /// Sets the answers for `path` from now on.
    ///
    /// - Parameters:
    ///   - path: The path of the requests, without a query.
    ///   - replies: The replies in turn; the last one is repeated.
    public func reply(at path: String, with replies: Reply...) { reply(at: path, with: replies) }

    /// Sets the answers for `path` from now on.
    ///
    /// - Parameters:
    ///   - path: The path of the requests, without a query.
    ///   - replies: The replies in turn; the last one is repeated. None answers with 404.
    public func reply(at path: String, with replies: [Reply]) { state.withLockedValue { $0.script[path] = replies } }

    /// Returns the requests that were sent so far.
    ///
    /// - Parameter path: The path of the requests, without a query; `nil` for all.
    /// - Returns: The requests, the first one first.
    public func sent(to path: String? = nil) -> [SentRequest] {
        state.withLockedValue(\.sent).filter { path == nil || $0.path == path }
    }

    /// Waits until requests were sent.
    ///
    /// - Parameters:
    ///   - count: The number of requests, since the transport was made.
    ///   - path: The path of the requests, without a query.
    public func requests(_ count: Int = 1, to path: String) async {
        await withCheckedContinuation { continuation in
            let enough = state.withLockedValue { state in
                if state.sent.count(where: { $0.path == path }) >= count { return true }
                state.watchers.append((path, count, continuation))
                return false
            }
            if enough { continuation.resume() }
        }
    }

    /// Records the request, and gives the next reply of its path.
    ///
    /// - Parameters:
    ///   - request: Method, path and header fields.
    ///   - body: The body; empty for none.
    ///   - limit: Recorded, and otherwise ignored: no time passes.
    /// - Returns: The answer that the script has for the path.
    /// - Throws: ``TransportError`` that the script has for the path, or `cancelled` when the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        guard !Task.isCancelled else { throw TransportError(.cancelled, because: "cancelled") }
        switch record(SentRequest(request: request, body: body, limit: limit)) {
        case .answer(let answer): return answer
        case .failure(let error): throw error
        case .silence:
            await Task.untilCancelled()
            throw TransportError(.cancelled, because: "cancelled")
        }
    }

    private func record(_ sent: SentRequest) -> Reply {
        let (reply, told) = state.withLockedValue { state in
            state.sent.append(sent)
            let count = state.sent.count { $0.path == sent.path }
            let told = state.watchers.filter { $0.path == sent.path && $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.path == sent.path && $0.count <= count }
            guard var replies = state.script[sent.path], let first = replies.first else {
                return (Reply.answer(HTTPAnswer(HTTPResponse(status: .notFound))), told)
            }
            if replies.count > 1 {
                replies.removeFirst()
                state.script[sent.path] = replies
            }
            return (first, told)
        }
        for continuation in told { continuation.resume() }
        return reply
    }
}
