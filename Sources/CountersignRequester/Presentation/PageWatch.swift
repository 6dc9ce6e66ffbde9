/// Ends work when the person refuses on the page or closes it.
enum PageWatch {
    /// The events while the work runs.
    private enum Event<Value: Sendable>: Sendable {
        /// The work has ended.
        case done(Result<Value, SignInError>)
        /// The person refused on the page, or closed it.
        case concluded(SignInPage.Conclusion)
        /// No conclusion will come.
        case nothing
    }

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
        await withTaskGroup(of: Event<Value>.self) { group in
            group.addTask {
                do throws(SignInError) {
                    return .done(.success(try await work()))
                } catch {
                    return .done(.failure(error))
                }
            }
            group.addTask {
                for await conclusion in conclusions { return .concluded(conclusion) }
                return .nothing
            }
            var conclusion: SignInPage.Conclusion?
            for await event in group {
                switch event {
                case .done(let result):
                    group.cancelAll()
                    guard case .failure(let error) = result, error.code == .cancelled, let conclusion else {
                        return result
                    }
                    return .failure(SignInError(conclusion))
                case .concluded(let said):
                    conclusion = said
                    group.cancelAll()
                case .nothing:
                    break
                }
            }
            return .failure(SignInError(.cancelled, because: "the task was cancelled"))
        }
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
