internal import Countersign
internal import CountersignApprover

extension Approver {
    /// Sends an answer as ``Approver/answer(_:to:session:)`` does, and goes on although the task is cancelled: the answer
    /// counts even if the asking side ends meanwhile.
    nonisolated func finish(
        _ answer: RequestAnswer,
        to request: WaitingRequest,
        session: SessionTerm?
    ) async throws(ApprovalError) {
        try await Task { () -> Result<Void, ApprovalError> in
            do throws(ApprovalError) {
                return .success(try await self.answer(answer, to: request, session: session))
            } catch {
                return .failure(error)
            }
        }.value.get()
    }
}
