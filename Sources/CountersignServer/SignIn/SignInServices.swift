internal import Countersign

/// The services of the one path of a request for sign-in: start, take, decide.
final class SignInServices: Sendable {
    let starts: SignInStartService
    let approvals: ApprovalService

    /// - Parameter reported: Called for each client whose request a person reports as one that they did not start.
    init(_ core: ServerCore, reported: @escaping @Sendable (ClientID) -> Void) {
        approvals = ApprovalService(
            store: core.store,
            keys: core.keys,
            mint: core.mint,
            policy: core.policy,
            clock: core.clock,
            metrics: core.metrics,
            addresses: core.addresses,
            budget: MessageBudget(limits: core.limits),
            reported: reported
        )
        starts = SignInStartService(
            store: core.store,
            keys: core.keys,
            mint: core.mint,
            policy: core.policy,
            limits: core.limits,
            approvals: approvals
        )
    }
}
