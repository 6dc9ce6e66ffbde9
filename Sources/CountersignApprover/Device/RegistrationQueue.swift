internal import CountersignWire

/// The registrations of one device, which are sent one after another.
struct RegistrationQueue: Sendable {
    /// The outcome of one registration.
    typealias Outcome = Result<DeviceRegistration, ApprovalError>

    private var last: Task<Outcome, Never>?

    /// Begins a registration once the one before has ended.
    ///
    /// - Parameter register: Sends the registration.
    /// - Returns: The task of the registration.
    mutating func add(_ register: @escaping @Sendable () async -> Outcome) -> Task<Outcome, Never> {
        let before = last
        let task = Task {
            _ = await before?.value
            return await register()
        }
        last = task
        return task
    }
}

extension Task<RegistrationQueue.Outcome, Never> {
    /// Waits for the registration; a caller that is cancelled cancels it.
    func registration() async throws(ApprovalError) -> DeviceRegistration {
        let outcome = await withTaskCancellationHandler {
            await value
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }
}
