internal import NIOConcurrencyHelpers

/// Ends work when the person refuses on the page or closes it.
enum PageWatch {
    /// Returns the result of `work`, which is cancelled at the first of `conclusions`; that is then the reason of the
    /// error.
    ///
    /// - Parameters:
    ///   - conclusions: The person's actions on the page.
    ///   - work: Waits for the decision; it is cancelled when the person refuses or closes the page.
    static func run<Value: Sendable>(
        until conclusions: AsyncStream<SignInPage.Conclusion>,
        _ work: @escaping @Sendable () async throws(SignInError) -> Value
    ) async -> Result<Value, SignInError> {
        let concluded = NIOLockedValueBox<SignInPage.Conclusion?>(nil)
        let working = Task { await Result(work) }
        let watching = Task {
            for await conclusion in conclusions {
                concluded.withLockedValue { $0 = conclusion }
                return working.cancel()
            }
        }
        defer { watching.cancel() }
        let result = await withTaskCancellationHandler {
            await working.value
        } onCancel: {
            working.cancel()
        }
        guard case .failure(let error) = result, error.code == .cancelled,
            let conclusion = concluded.withLockedValue(\.self)
        else { return result }
        return .failure(SignInError(conclusion))
    }
}

extension SignInError {
    /// Maps what a person did on the page to an error.
    fileprivate init(_ conclusion: SignInPage.Conclusion) {
        switch conclusion {
        case .refused: self.init(.denied, because: "the browser came back with a refusal")
        case .closed: self.init(.cancelled, because: "the page was closed")
        }
    }
}
