internal import Countersign

/// The services of the one path of a request for sign-in: start, take, decide.
final class SignInServices: Sendable {
    let starts: SignInStartService
    let approvals: ApprovalService

    /// - Parameter reported: Called for each client whose request a person reports as one that they did not start.
    init(_ server: ServerCore, reported: @escaping @Sendable (ClientID) -> Void) {
        approvals = ApprovalService(
            store: server.store,
            keys: server.keys,
            mint: server.mint,
            policy: server.policy,
            clock: server.clock,
            metrics: server.metrics,
            addresses: server.addresses,
            budget: MessageBudget(limits: server.limits),
            reported: reported
        )
        starts = SignInStartService(
            store: server.store,
            keys: server.keys,
            mint: server.mint,
            policy: server.policy,
            limits: server.limits,
            approvals: approvals
        )
    }
}
