import Countersign
import CountersignRequester
import Testing

/// The events of a sign-in to its very end.
struct SignInTrace: Sendable {
    private(set) var events: [SignInEvent] = []
    private(set) var error: SignInError?
    private(set) var signedIn: CompletedSignIn?
    /// The number of final events and errors.
    private(set) var finals = 0

    /// Goes through a sign-in, and beyond its end as long as there are events. `act` may cancel the task.
    static func of(_ signIn: SignIn, _ act: (SignInEvent) async throws -> Void) async -> SignInTrace {
        var trace = SignInTrace()
        var iterator = signIn.makeAsyncIterator()
        while true {
            do {
                guard let event = try await iterator.next() else { return trace }
                trace.events.append(event)
                if case .signedIn(let signedIn) = event {
                    trace.signedIn = signedIn
                    trace.finals += 1
                }
                try await act(event)
            } catch let error as SignInError {
                trace.error = error
                trace.finals += 1
            } catch {
                Issue.record(error)
            }
        }
    }
}
