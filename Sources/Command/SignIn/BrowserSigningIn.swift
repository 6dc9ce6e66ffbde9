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

    /// The port to come back to; any that is free for 0.
    var port = 0

    /// The outcome.
    enum Ending: Sendable {
        /// The sign-in ended with tokens or an error, which was reported to the person.
        case ended(Result<CompletedSignIn, SignInError>)
        /// Nothing was opened, and nothing was sent to the person.
        case notStarted(Obstacle)
        /// The browser was opened, and did not come back in time.
        case nobodyCame
    }

    /// A fact of this machine or of the server that rules out a browser.
    enum Obstacle: Sendable {
        /// No program opens addresses.
        case noBrowser
        /// The server's metadata name no authorization endpoint.
        case noAuthorizationEndpoint
    }

    /// Signs in and prints the result.
    ///
    /// - Throws: a ``CommandError`` when the port of this machine cannot be used.
    func run(savingIn directory: String) async throws -> Ending {
        await display.show(.discovering)
        let ending = try await result()
        switch ending {
        case .ended(let outcome): await display.finish(outcome, savedIn: directory)
        case .nobodyCame:
            let late: Result<CompletedSignIn, SignInError> = .failure(
                SignInError(.expired, because: "nobody came back"))
            await display.finish(late, savedIn: directory)
        case .notStarted: break
        }
        return ending
    }

    private typealias Answer = AuthorizationAnswer<RedeemableCode>

    private func result() async throws -> Ending {
        do {
            return try await RedirectListener(port: port).listening { address, redirectURI -> Answer? in
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
                    return .ended(.failure(error))
                }
            }
        } catch is CancellationError {
            return .ended(.failure(SignInError(.cancelled, because: "interrupted")))
        }
    }

    private func ending(of signIn: AppToAppSignIn, _ answers: AsyncStream<Answer>) async throws(SignInError) -> Ending {
        if let obstacle = try await start(signIn) { return .notStarted(obstacle) }
        guard let answer = await first(of: answers) else {
            guard !Task.isCancelled else { throw SignInError(.cancelled, because: "interrupted") }
            return .nobodyCame
        }
        return .ended(.success(try await answer.map { await signIn.redeem($0) }.get()))
    }

    /// Opens the browser; returns why that cannot be done at all.
    private func start(_ signIn: AppToAppSignIn) async throws(SignInError) -> Obstacle? {
        do throws(SignInError) {
            switch try await signIn.start() {
            case .opened: return nil
            case .appNotInstalled, .appTooOld, .notOpened: return .noBrowser
            case .invalidClientID: throw SignInError(.clientRefused, because: "the client id is empty")
            case .invalidRedirect: throw SignInError(.clientRefused, because: "the redirect URI cannot be used")
            }
        } catch {
            guard error.code == .flowNotOffered else { throw error }
            return .noAuthorizationEndpoint
        }
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

/// Opens the browser of this machine, and shows the address to the person, in case no page appears.
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
