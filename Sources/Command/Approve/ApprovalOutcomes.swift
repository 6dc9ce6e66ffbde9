internal import Countersign
internal import NIOConcurrencyHelpers

/// The answers at this terminal, for a run that ends after the first one. An answer to a screen nearby counts when the
/// screen has heard of it, or has gone.
final class ApprovalOutcomes: Sendable {
    /// Whether each request was approved, in the order of their ends.
    let stream: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The requests of links that have not ended.
        var linked: Set<SignInRequest.ID> = []
        /// The answers to these.
        var pending: [SignInRequest.ID: Bool] = [:]
    }

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// A link shows its request.
    func link(_ request: SignInRequest.ID) {
        state.withLockedValue { _ = $0.linked.insert(request) }
    }

    /// The person, or a policy, has answered.
    func answered(_ request: SignInRequest.ID, isApproved: Bool) {
        let isPending = state.withLockedValue { state in
            guard state.linked.contains(request) else { return false }
            state.pending[request] = isApproved
            return true
        }
        if !isPending { continuation.yield(isApproved) }
    }

    /// The link of a request has ended.
    ///
    /// - Returns: The answer to it; `nil` for none.
    @discardableResult
    func unlink(_ request: SignInRequest.ID) -> Bool? {
        let answer = state.withLockedValue { state in
            state.linked.remove(request)
            return state.pending.removeValue(forKey: request)
        }
        if let answer { continuation.yield(answer) }
        return answer
    }

    /// There are no more answers.
    func finish() { continuation.finish() }

    /// The first answer: whether it approved; `nil` when the task is cancelled before.
    func first() async -> Bool? {
        for await outcome in stream { return outcome }
        return nil
    }
}
