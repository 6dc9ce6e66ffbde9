internal import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

extension CrossPlatformProvider {
    /// Gets a token, step by step; a page that was shown is dismissed before this returns.
    nonisolated func acquired(
        _ wanted: RequestKey,
        presenting sequencer: PresentationSequencer?
    ) async -> Result<CrossPlatformToken, SignInError> {
        let result = await Result { () async throws(SignInError) in
            try await acquire(wanted, presenting: sequencer)
        }
        await sequencer?.clear()
        return result
    }

    /// Performs the steps of a ``TokenAcquisition`` until it ends.
    ///
    /// - Throws: ``SignInError`` of the step that failed permanently.
    private nonisolated func acquire(
        _ wanted: RequestKey,
        presenting sequencer: PresentationSequencer?
    ) async throws(SignInError) -> CrossPlatformToken {
        let held = try await token(for: wanted.domain)
        var acquisition = TokenAcquisition(of: wanted.type)
        var step = acquisition.first
        while true {
            do throws(SignInError) {
                switch step {
                case .identify(insteadOf: let refused):
                    let identity = try await identity(insteadOf: refused, telling: sequencer)
                    step = acquisition.identified(identity, holding: try await token(for: wanted.domain))
                case .askAsItself(let identity):
                    step = acquisition.kept(
                        try await askAsItself(identity, wanted, insteadOf: held, telling: sequencer))
                case .askPerson(let identity):
                    step = acquisition.kept(try await askPerson(identity, wanted, presenting: sequencer))
                case .finish(let token):
                    return token
                case .fail(let error):
                    throw error
                }
            } catch {
                if case .fail = step { throw error }
                step = acquisition.failed(error)
            }
        }
    }

    /// Returns the stored identity, or registers a new one; never the one that the provider has removed.
    ///
    /// Tasks and processes that need one at the same time register once.
    private nonisolated func identity(
        insteadOf refused: ClientID?,
        telling sequencer: PresentationSequencer?
    ) async throws(SignInError) -> CrossPlatformIdentity {
        let key = TokenStoreKey.crossPlatformIdentity(at: address)
        do throws(TokenStoreError) {
            if let kept = try await store.identity(for: key), kept.client != refused { return kept }
        } catch {
            throw SignInError(error)
        }
        return try await finishing { () async throws(SignInError) in
            try await self.alone(with: key) {
                if let kept = try await self.store.identity(for: key), kept.client != refused { return kept }
                let identity = try await self.retrier(telling: sequencer).attempt { () async throws(StepError) in
                    try await self.conversation.register(self.software)
                }
                // Tokens of the old identity are no longer valid.
                for old in try await self.store.keys() where refused != nil && old.isToken(at: self.address) {
                    try await self.store.remove(old)
                }
                try await self.store.save(identity, for: key)
                return identity
            }
        }
    }

    /// Gets a token by the device's identity alone and stores it; or returns the one that another task stored since
    /// `held` was read.
    private nonisolated func askAsItself(
        _ identity: CrossPlatformIdentity,
        _ wanted: RequestKey,
        insteadOf held: CrossPlatformToken?,
        telling sequencer: PresentationSequencer?
    ) async throws(SignInError) -> CrossPlatformToken {
        let key = TokenStoreKey.crossPlatformToken(at: address, for: wanted.domain)
        return try await finishing { () async throws(SignInError) in
            try await self.alone(with: key) {
                if let other = try await self.store.crossPlatformToken(for: key), other != held,
                    other.type == wanted.type, other.client == identity.client,
                    other.lives(from: self.context.clock.now())
                {
                    return other
                }
                let response = try await self.retrier(telling: sequencer).attempt { () async throws(StepError) in
                    try await self.conversation.token(of: identity, for: wanted.domain)
                }
                let type = CrossPlatformToken.type(of: response, for: identity.client, insteadOf: held)
                let token = CrossPlatformToken(
                    response, ofType: type, for: identity.client, at: self.context.clock.now())
                try await self.store.save(token, for: key)
                return token
            }
        }
    }

    /// Gets a token that a person approves, and stores it.
    private nonisolated func askPerson(
        _ identity: CrossPlatformIdentity,
        _ wanted: RequestKey,
        presenting sequencer: PresentationSequencer?
    ) async throws(SignInError) -> CrossPlatformToken {
        let (conclusions, conclusion) = AsyncStream.makeStream(of: SignInPage.Conclusion.self)
        let drive = drive(identity, wanted.domain, presenting: sequencer) { conclusion.yield($0) }
        let response = try await PageWatch.run(until: conclusions) { () async throws(SignInError) in
            try await drive.run()
        }.get()
        let token = CrossPlatformToken(response, ofType: .user, for: identity.client, at: context.clock.now())
        let key = TokenStoreKey.crossPlatformToken(at: address, for: wanted.domain)
        // Stored even if the task was cancelled just now: the person has approved.
        return try await finishing { () async throws(SignInError) in
            try await self.alone(with: key) {
                try await self.store.save(token, for: key)
                return token
            }
        }
    }

    /// The drive that waits for the person's decision: it associates, shows the page, and polls with the device code.
    ///
    /// A lost answer is remembered: a device code that is unknown afterwards may have been redeemed by it.
    private nonisolated func drive(
        _ identity: CrossPlatformIdentity,
        _ domain: Domain,
        presenting sequencer: PresentationSequencer?,
        conclude: @escaping @Sendable (SignInPage.Conclusion) -> Void
    ) -> PollingDrive<CrossPlatformTokenResponse> {
        let conversation = CrossPlatformClient(
            address: address, context: context, options: sequencer?.shown(options) ?? options.shown(by: nil))
        let retrier = retrier(telling: sequencer)
        let insecure = options.allowingInsecureHTTP
        let mayBeLost = NIOLockedValueBox(false)
        return PollingDrive(
            rules: options.rules,
            clock: context.clock,
            announce: { await sequencer?.tell($0) },
            start: { () async throws(SignInError) in
                let response = try await retrier.attempt { () async throws(StepError) in
                    try await conversation.associate(identity, for: domain)
                }
                return PollingDrive.IssuedCode(code: response.awaited) { deadline throws(SignInError) in
                    let invitation = try Invitation(response, until: deadline, allowingInsecureHTTP: insecure)
                    guard let invitation else { return nil }
                    guard let sequencer else {
                        throw SignInError(.personNeeded, because: "nothing was given to show a page with")
                    }
                    try await sequencer.put(SignInPage(invitation, takesReturns: true, conclude: conclude))
                    return invitation.verificationURIComplete
                }
            },
            ask: { code, wait, number throws(SignInError) in
                let result = try await conversation.poll(
                    code, of: identity, for: domain, holding: wait, showing: number)
                switch result {
                case .failed(.interrupted, retryAfter: _, because: _):
                    mayBeLost.withLockedValue { $0 = true }
                    return result
                case .refused(let error) where mayBeLost.withLockedValue(\.self):
                    return .refused(error.afterLostAnswer)
                default:
                    return result
                }
            }
        )
    }
}

extension CrossPlatformProvider {
    /// The client for the provider's endpoints.
    private nonisolated var conversation: CrossPlatformClient {
        CrossPlatformClient(address: address, context: context, options: options)
    }

    /// Repeats steps that fail temporarily, and notifies the presentation of the failure.
    private nonisolated func retrier(telling sequencer: PresentationSequencer?) -> Retrier {
        context.retrier(options) { await sequencer?.tell($0) }
    }

    /// Runs `body` while no other task or process uses the item.
    nonisolated func alone<Value: Sendable>(
        with key: TokenStoreKey,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(SignInError) -> Value {
        do {
            return try await store.exclusively(for: key, body)
        } catch {
            throw SignInError(catching: error)
        }
    }

    /// Returns the result of `work`. Cancelling the task ends the wait but not the work, because an issued token must
    /// be stored.
    private nonisolated func finishing<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(SignInError) -> Value
    ) async throws(SignInError) -> Value {
        let task = Task { await Result(work) }
        return try await Interruptible.value { await task.value }.get()
    }
}

extension SignInError {
    /// The refusal of a device code after an answer was lost. A code works once: when the provider does not know it
    /// then, that answer may have redeemed it.
    fileprivate var afterLostAnswer: SignInError {
        guard providerCode == CrossPlatformError.Code.invalidRequest.rawValue else { return self }
        return SignInError(
            .answerLost, providerCode: CrossPlatformError.Code.invalidRequest.rawValue,
            providerDescription: providerDescription)
    }
}
