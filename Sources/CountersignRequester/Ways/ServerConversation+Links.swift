internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// The events while requests are open.
    private enum Event: Sendable {
        /// A request was answered; requests are numbered in their order.
        case answered(number: Int, Result<PollResult<TokenResponse>, SignInError>)
        /// Another link carried the request.
        case linksChanged
    }

    /// Asks once for the tokens of a device code, and names the links that carry its request.
    ///
    /// A link that is added while the server holds the request open is named at once, by a second request. The server
    /// then ends the older one; the client cancels neither, because either may receive the tokens.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ code: DeviceCode,
        holding wait: WaitPreference?,
        showing shown: NumberPreference,
        naming known: SignInLinks
    ) async throws(SignInError) -> PollResult<TokenResponse> {
        let result = await withTaskGroup(of: Event.self) { group in
            var latest = 0
            var running = 0
            var last = Result<PollResult<TokenResponse>, SignInError>.failure(.taskCancelled)
            func begin() {
                let links = known.links
                (latest, running) = (latest + 1, running + 1)
                let number = latest
                group.addTask {
                    .answered(number: number, await answer(code, holding: wait, showing: shown, naming: links))
                }
                group.addTask {
                    await known.change(since: links)
                    return .linksChanged
                }
            }
            begin()
            while let event = await group.next() {
                switch event {
                case .linksChanged:
                    if !Task.isCancelled { begin() }
                case .answered(let number, let result):
                    running -= 1
                    if number == latest { last = result }
                    if case .success(.granted) = result {
                        last = result
                        running = 0
                    }
                }
                if running == 0 { break }
            }
            group.cancelAll()
            return last
        }
        return try result.get()
    }

    /// One request, as a result that a task group can carry.
    private func answer(
        _ code: DeviceCode,
        holding wait: WaitPreference?,
        showing shown: NumberPreference,
        naming links: NearbyLinks
    ) async -> Result<PollResult<TokenResponse>, SignInError> {
        await Result { () async throws(SignInError) in
            try await poll(code, over: links, holding: wait, showing: shown)
        }
    }
}
