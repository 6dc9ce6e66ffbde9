public import Countersign
public import CountersignWire

extension Approver {
    /// The person's decisions of the last hour, on this device or elsewhere, and whether they were undone since.
    ///
    /// ```swift
    /// for decision in try await approver.decisions() where decision.undoUntil != nil {
    ///     screen.offerUndo(of: decision)
    /// }
    /// ```
    ///
    /// - Returns: The decisions, the latest first, at most 20.
    /// - Throws: ``ApprovalError``: `notOffered` by a server without this list; others by network and server.
    public nonisolated func decisions() async throws(ApprovalError) -> [DecisionListing] {
        try await client.message(.decisions).message
    }

    /// Undoes an approval of the person, on whichever device they gave it, within a minute of it.
    ///
    /// - Parameter request: The approved request.
    /// - Returns: The outcome; the screen has nothing any more after `undone`.
    /// - Throws: ``ApprovalError``: `notOffered` by a server that lets no app undo; `outcomeUnknown` when it may have
    ///   been undone; others by network and server.
    public nonisolated func undo(_ request: SignInRequest.ID) async throws(ApprovalError) -> UndoOutcome {
        try await client.undo(request)
    }
}

extension ApproverClient {
    /// Undoes an approval of the person.
    func undo(_ request: SignInRequest.ID) async throws(ApprovalError) -> UndoOutcome {
        let said = try await message(.undo(request), as: ApproverUndoResponse.self).message
        guard said.exchange == request else {
            throw ApprovalError(.badAnswer, because: "another request than was undone")
        }
        return said.outcome
    }
}
