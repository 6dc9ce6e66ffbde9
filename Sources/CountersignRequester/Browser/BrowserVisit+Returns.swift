internal import Countersign
internal import CountersignWire

extension BrowserVisit {
    /// The address to come back to, as it is registered with the server.
    ///
    /// - Throws: ``SignInError`` `browser_not_opened` for one that no server may register.
    func checkedRedirectURI() throws(SignInError) -> RedirectURI {
        do throws(RedirectURI.ParsingError) {
            return try RedirectURI(redirectURI)
        } catch {
            throw SignInError(.browserNotOpened, because: "the redirect URI is \(error.rawValue)")
        }
    }

    /// Waits for the first address that comes back.
    ///
    /// - Throws: ``SignInError`` `expired` when none comes in time, `cancelled` when the page or the task is ended before.
    func firstReturn(within lifetime: Duration, by clock: TimeSource) async throws(SignInError) -> String {
        let end = clock.instant() + lifetime
        let result = await withTaskGroup(of: Result<String, SignInError>.self) { group in
            group.addTask {
                for await address in returns { return .success(address) }
                return .failure(SignInError(.cancelled, because: "the page was closed"))
            }
            group.addTask {
                try? await clock.sleep(until: end)
                return .failure(SignInError(.expired, because: "nobody came back from the browser"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.taskCancelled)
        }
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        return try result.get()
    }
}
