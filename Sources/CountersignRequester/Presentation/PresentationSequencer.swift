/// Calls a presentation in the order that ``SignInPresentation`` promises: one `show`, one `dismiss`, none at once.
actor PresentationSequencer {
    /// The state of the presentation.
    private enum State {
        case empty, shown, cleared
    }

    private let presentation: any SignInPresentation
    /// The options of a sign-in that this presentation shows.
    nonisolated func shown(_ options: SignInOptions) -> SignInOptions { options.shown(by: presentation) }
    private var state = State.empty

    /// A sequence of calls that has not begun.
    init(_ presentation: any SignInPresentation) {
        self.presentation = presentation
    }

    /// Shows a page, instead of the previous one.
    ///
    /// - Throws: ``SignInError`` `cancelled` at once when the task is cancelled, whatever the presentation does.
    nonisolated func put(_ page: SignInPage) async throws(SignInError) {
        try await Interruptible.value { await self.show(page) }
    }

    /// Dismisses the page, if one is shown; nothing is shown afterwards.
    nonisolated func clear() async {
        // An unstructured task: the presentation does its work although the sign-in was cancelled.
        await Task { await self.dismiss() }.value
    }

    /// Passes an event on.
    nonisolated func tell(_ event: SignInEvent) async {
        await presentation.tell(event)
    }

    /// Calls `show` for the first page and `replace` for each further one.
    private func show(_ page: SignInPage) async {
        switch state {
        case .empty:
            state = .shown
            await presentation.show(page)
        case .shown:
            await presentation.replace(with: page)
        case .cleared:
            break
        }
    }

    /// Calls `dismiss`, once, if a page is shown; later pages are dropped.
    private func dismiss() async {
        let wasShown = state == .shown
        state = .cleared
        if wasShown { await presentation.dismiss() }
    }
}
