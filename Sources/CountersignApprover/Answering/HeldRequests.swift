internal import Countersign
internal import CountersignWire

/// The outcome of a request for the side that waits at this device.
enum HeldOutcome: Sendable {
    /// The person answered, and the server stored it.
    case answered(RequestAnswer, ApproverDecideResponse)
    /// The person goes on in the browser.
    case browser
    /// There is no answer.
    case failed(ApprovalError)
}

/// The requests whose asking side waits at this device: over a link, or in another app.
struct HeldRequests: Sendable {
    private var waiting: [SignInRequest.ID: (number: Int, side: AsyncStream<HeldOutcome>.Continuation)] = [:]
    private var last = 0

    /// Adds a side that waits, in place of an earlier one of the same request.
    ///
    /// - Returns: The number of the side.
    mutating func add(_ id: SignInRequest.ID, _ side: AsyncStream<HeldOutcome>.Continuation) -> Int {
        settle(id, .failed(ApprovalError(.cancelled, because: "the same request came again")))
        last += 1
        waiting[id] = (last, side)
        return last
    }

    /// Tells the outcome to the side that waits, if any.
    func settle(_ id: SignInRequest.ID, _ outcome: HeldOutcome) { waiting[id]?.side.yield(outcome) }

    /// Whether a side waits for the outcome of a request.
    func has(_ id: SignInRequest.ID) -> Bool { waiting[id] != nil }

    /// Removes a side.
    ///
    /// - Returns: Whether no other one has taken its place.
    mutating func remove(_ id: SignInRequest.ID, number: Int) -> Bool {
        guard waiting[id]?.number == number else { return false }
        waiting[id] = nil
        return true
    }
}
