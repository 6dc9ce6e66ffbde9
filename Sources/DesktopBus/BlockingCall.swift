#if SecretService && os(Linux)
internal import Dispatch

/// Calls of C libraries that wait for other programs, or for a person.
package enum BlockingCall {
    /// Runs `act` on a thread of its own, since few threads serve all tasks.
    package static func run<Value: Sendable, Failure: Error>(
        _ act: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "blocking-call").async {
                do throws(Failure) {
                    continuation.resume(returning: .success(try act()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }
}
#endif
