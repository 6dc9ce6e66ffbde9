internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// One sign-in of this terminal by the browser of this machine, from the page that is opened to the last line.
struct BrowserSigningIn: Sendable {
    let issuer: Issuer
    let client: ClientID
    let secret: ClientSecret?
    let scope: Scope
    let store: SealedFileTokenStore
    let options: AppToAppOptions
    let display: any SignInDisplay

    /// Signs in and prints the result.
    ///
    /// - Returns: Why it cannot be done by a browser, as a sentence for the person; `nil` when it is done.
    /// - Throws: a ``Failure`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws -> String? {
        await display.show(.discovering)
        let outcome: Result<SignedIn, SignInError>
        switch try await result() {
        case .noBrowser: return "No browser could be opened here, so it goes on with a code."
        case .notOffered: return "This server does not sign in by a browser, so it goes on with a code."
        case .ended(let result): outcome = result
        case .nobodyCame:
            let late: Result<SignedIn, SignInError> = .failure(SignInError(.expired, because: "nobody came back"))
            await display.finish(late, savedIn: directory)
            let limit = options.lifetime.formatted(.units(allowed: [.minutes, .seconds], width: .wide))
            throw Failure("Nobody came back from the browser within \(limit). Try again.", status: .expired)
        }
        await display.finish(outcome, savedIn: directory)
        if case .failure(let error) = outcome { throw Failure(error) }
        return nil
    }

    /// What came of it.
    private enum Ending: Sendable {
        case ended(Result<SignedIn, SignInError>)
        case noBrowser, notOffered, nobodyCame
    }

    private typealias Answer = AuthorizationAnswer<RedeemableCode>

    private func result() async throws -> Ending {
        do {
            return try await RedirectListener().listening { address, redirectURI -> Answer? in
                switch try? await signIn(returningTo: redirectURI).receive(address) {
                case nil, .unasked, .otherAddress: nil
                case let answer?: answer
                }
            } _: { redirectURI, answers in
                let signIn = signIn(returningTo: redirectURI)
                do throws(SignInError) {
                    let ending = try await self.ending(of: signIn, answers)
                    try await forget(signIn)
                    return ending
                } catch {
                    try? await forget(signIn)
                    return error.code == .flowNotOffered ? .notOffered : .ended(.failure(error))
                }
            }
        } catch is CancellationError {
            return .ended(.failure(SignInError(.cancelled, because: "interrupted")))
        }
    }

    private func ending(of signIn: AppToAppSignIn, _ answers: AsyncStream<Answer>) async throws(SignInError) -> Ending {
        switch try await signIn.start() {
        case .opened: break
        case .invalidClientID: throw SignInError(.clientRefused, because: "the client id is empty")
        case .invalidRedirect, .appNotInstalled, .appTooOld, .notOpened: return .noBrowser
        }
        guard let answer = await first(of: answers) else {
            guard !Task.isCancelled else { throw SignInError(.cancelled, because: "interrupted") }
            return .nobodyCame
        }
        return .ended(.success(try await answer.map { await signIn.redeem($0) }.get()))
    }

    /// The first answer; `nil` when none comes in time, or the task is cancelled.
    private func first(of answers: AsyncStream<Answer>) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask {
                for await answer in answers { return answer }
                return nil
            }
            group.addTask {
                try? await TimeSource.system.sleep(for: options.lifetime)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Removes what still waits for an answer, although the task may be cancelled.
    private func forget(_ signIn: AppToAppSignIn) async throws(SignInError) {
        do {
            try await Task { try await signIn.forgetRequests() }.value
        } catch {
            throw error as? SignInError ?? SignInError(.notStored, because: String(describing: error))
        }
    }

    private func signIn(returningTo redirectURI: String) -> AppToAppSignIn {
        AppToAppSignIn(
            at: ProviderProfile(discoveredAt: issuer),
            as: client,
            secret: secret,
            returningTo: AppRedirects(universal: redirectURI),
            for: scope,
            opening: PrintingBrowserOpener(display: display),
            keepingTokensIn: store,
            options: options
        )
    }
}

/// Opens the browser of this machine, and tells the address to the person, in case that no page appears.
private struct PrintingBrowserOpener: AppOpener {
    let display: any SignInDisplay
    private let system = DesktopOpener()

    func canOpen(_ address: URL) async -> Bool {
        await system.canOpen(address)
    }

    func open(_ address: URL) async -> Bool {
        guard await system.open(address) else { return false }
        await display.opened(address)
        return true
    }
}
