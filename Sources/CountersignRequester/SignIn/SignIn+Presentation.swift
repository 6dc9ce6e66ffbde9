internal import Countersign

extension SignIn {
    /// Signs in like ``run(confirming:)``, and shows by a presentation where to approve. The page is dismissed before
    /// the person is asked to confirm who they are. The only way is the code.
    ///
    /// - Parameters:
    ///   - presentation: Shows the code or the page, and takes it away.
    ///   - confirm: Asks the person at the screen whether it is they who were signed in.
    /// - Returns: The tokens and the signed-in person, already stored.
    /// - Throws: ``SignInError``, as ``run(confirming:)``; `cancelled` also when the person closes the page.
    ///
    /// Standard: RFC 8628 §3.3.
    public func run(
        presenting presentation: some SignInPresentation,
        confirming confirm: @escaping Confirm
    ) async throws(SignInError) -> CompletedSignIn {
        let sequencer = PresentationSequencer(presentation)
        var pages = self
        pages.client.options = client.options.shown(by: presentation)
        pages.client.options.ways = [.code]
        let signIn = pages
        let events = events
        let (conclusions, conclusion) = AsyncStream.makeStream(of: SignInPage.Conclusion.self)
        let showing = Task {
            for await event in events {
                switch event {
                case .invitation(let invitation):
                    let page = SignInPage(invitation, takesReturns: false) { conclusion.yield($0) }
                    try? await sequencer.put(page)
                case .discovering, .presenting, .notAccepted, .began, .opened, .nearby, .ended, .invitationHidden,
                    .codeAccepted, .waiting, .verificationNumber, .link, .temporaryFailure:
                    await sequencer.tell(event)
                case .confirming, .signedIn, .failed:
                    await sequencer.clear()
                    await sequencer.tell(event)
                }
            }
        }
        let outcome = await PageWatch.run(until: conclusions) { () async throws(SignInError) in
            try await signIn.run(confirming: confirm)
        }
        if Task.isCancelled { showing.cancel() }
        await showing.value
        await sequencer.clear()
        return try outcome.get()
    }
}
