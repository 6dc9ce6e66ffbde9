internal import Countersign

extension SignIn {
    /// Signs in like ``run(confirming:)``, and shows by a presentation where to approve. The page is dismissed before
    /// the person is asked to confirm who they are.
    ///
    /// - Parameters:
    ///   - presentation: Shows the page; it gets one `show` and one `dismiss`, however the sign-in ends.
    ///   - confirm: Asks the person whether they are the one who was signed in.
    /// - Throws: ``SignInError``, also when the task is cancelled or the page is closed.
    public func run(
        presenting presentation: some SignInPresentation,
        confirming confirm: @escaping Confirm
    ) async throws(SignInError) -> SignedIn {
        let stage = Stage(presentation)
        let events = events
        let (conclusions, conclusion) = AsyncStream.makeStream(of: SignInPage.Conclusion.self)
        let showing = Task {
            for await event in events {
                switch event {
                case .invitation(let invitation):
                    let page = SignInPage(invitation, takesReturns: false) { conclusion.yield($0) }
                    try? await stage.put(page)
                case .discovering, .waiting, .trouble:
                    await stage.tell(event)
                case .confirming, .signedIn, .failed:
                    await stage.clear()
                    await stage.tell(event)
                }
            }
        }
        let outcome = await PageWatch.run(until: conclusions) { () async throws(SignInError) in
            try await run(confirming: confirm)
        }
        if Task.isCancelled { showing.cancel() }
        await showing.value
        await stage.clear()
        return try outcome.get()
    }
}
