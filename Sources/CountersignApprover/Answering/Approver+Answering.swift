internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Approver {
    /// Signs the person's answer, and sends it to the server; when this returns, the server has stored it, and a side
    /// that waits at this device is told.
    ///
    /// The first decision counts, from whichever device or page. After `outcomeUnknown` the same answer may be given
    /// again: it is the same decision, so that it counts once.
    ///
    /// - Parameters:
    ///   - answer: The person's answer.
    ///   - shown: The displayed request. A link that has brought it since counts, too.
    ///   - session: The time that the person chose for the sign-in of a screen or in the inbox, with an approval; `nil`,
    ///     the default, where they chose none. The server ignores a time that the request does not offer.
    /// - Throws: ``ApprovalError``: `notAnswerable` for a request without such an answer, `expired` when it has expired,
    ///   `digitsNeeded` when the number is missing or has another length, `policyRefused` where the person can only
    ///   deny, all before anything is sent; `nothingToDecide` when it was answered before, with the place;
    ///   `wrongNumber`, after which another answer may follow; `policyRefused` by the server, too; `outcomeUnknown` when
    ///   the answer may have been recorded; others by network and server.
    public func answer(
        _ answer: RequestAnswer,
        to shown: WaitingRequest,
        session: SessionTerm? = nil
    ) async throws(ApprovalError) {
        let request = inbox.current(shown)
        guard request.account == account else { throw ApprovalError(.signedOut, because: "another account's request") }
        let date = await client.date
        guard date < request.deadline else {
            let error = ApprovalError(.expired, because: "its time is over")
            held.settle(request.id, .failed(error))
            throw error
        }
        if answer == .goOnInBrowser, request.look.method.opensAnswer {
            held.settle(request.id, .browser)
            return
        }
        // An answer that the person has to correct leaves the request as it is, also for a side that waits.
        let claim = try Self.claim(answer, on: request)
        do throws(ApprovalError) {
            answers.begin(request.id)
            let said = try await decide(answer, as: claim, on: request, for: answer.isApproval ? session : nil)
            answers.give(request, at: date)
            if said.outcome == .approved { approvals.add(request.id, at: client.clock.instant()) }
            inbox.answer(request.id)
            held.settle(request.id, .answered(answer, said))
            tellChange()
        } catch {
            let isLacking = answers.fail(request.id)
            if error.ends(request), held.has(request.id) {
                held.settle(request.id, .failed(error))
            } else if isLacking {
                Task { await tellEnd(of: request) { .withdrawn($0) } }
            }
            throw error
        }
    }

    /// The one way of a decision to the server.
    private nonisolated func decide(
        _ answer: RequestAnswer,
        as claim: DecisionClaims.Answer,
        on request: WaitingRequest,
        for session: SessionTerm?
    ) async throws(ApprovalError) -> ApproverDecideResponse {
        try await client.untilExpired(request.deadline) { () async throws(ApprovalError) in
            if let link = request.link, let finding = try Self.finding(answer, over: link, on: request) {
                return try await client.decide(
                    claim, by: .nearby(finding), on: link.look, shown: link.digest, for: session)
            }
            return switch request.look {
            case .nearby(let look, let finding):
                try await client.decide(claim, by: .nearby(finding), on: look, shown: request.digest, for: session)
            case .authorization(let look, let parameters):
                try await client.decide(
                    claim, by: .authorization(AuthorizationFinding(look, to: parameters)), on: look,
                    shown: request.digest, to: parameters, for: request.service == nil ? nil : session)
            case .activation(let look, let finding):
                try await client.decide(
                    claim, by: .activation(finding), on: look, shown: request.digest, for: session)
            case .inbox(let look):
                try await client.decide(
                    claim, by: .inbox(try Self.finding(answer, on: request)), on: look, shown: request.digest,
                    for: session)
            }
        }
    }

    /// The answer as a decision states it, with a number of the right form where it has one.
    private static func claim(
        _ answer: RequestAnswer,
        on request: WaitingRequest
    ) throws(ApprovalError) -> DecisionClaims.Answer {
        if case .typeThere = request.step { throw ApprovalError(.notAnswerable, because: "a request with a passcode") }
        if case .denyOnly(let obstacle) = request.step, answer.isApproval {
            throw ApprovalError(
                .policyRefused, because: "the device does not meet a demand: \(obstacle.rawValue)", obstacle: obstacle)
        }
        if case .approve(let number, remembers: _) = answer,
            request.step == .matchNumber || number != nil && request.takesNumber
        {
            _ = try typed(number)
        }
        switch (answer, request.look) {
        // A service is asked about each time.
        case (.approve(number: _, remembers: true), .authorization) where request.service == nil: return .remember
        case (.approve, _): return .approve
        case (.deny, _): return .deny
        case (.report, .inbox): return .report
        case (.mute, .inbox): return .mute
        case (.report, _), (.mute, _), (.goOnInBrowser, _):
            throw ApprovalError(.notAnswerable, because: "no such answer to this request")
        }
    }

    /// The statement about the link that brought a listed request, too; `nil` for an answer that goes by the list alone.
    private static func finding(
        _ answer: RequestAnswer,
        over link: WaitingRequest.LinkLook,
        on request: WaitingRequest
    ) throws(ApprovalError) -> NearbyFinding? {
        var finding = link.finding
        switch answer {
        case .approve(let number, remembers: _):
            guard link.approves else { return nil }
            if let number, request.takesNumber { finding.number = try typed(number) }
            return finding
        case .deny: return finding
        case .report, .mute, .goOnInBrowser: return nil
        }
    }

    /// The number that a person typed.
    private static func typed(_ number: String?) throws(ApprovalError) -> String {
        guard let typed = TypedText.digits(number ?? "").flatMap(VerificationNumber.init(parsing:)) else {
            throw ApprovalError(.digitsNeeded, because: "needed: the \(VerificationNumber.words)")
        }
        return typed.rawValue
    }

    private static func finding(
        _ answer: RequestAnswer,
        on request: WaitingRequest
    ) throws(ApprovalError) -> InboxFinding {
        switch (answer, request.step) {
        case (.approve(let number, remembers: _), .matchNumber): return InboxFinding(number: try typed(number))
        case (.report(let reason), _):
            return InboxFinding(reason: reason.map { cut($0, to: InboxFinding.longestReason) })
        case (.approve, _), (.deny, _), (.mute, _), (.goOnInBrowser, _): return InboxFinding()
        }
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var text = text
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }

    // MARK: Sides that wait here

    /// Shows a request, and waits until it is answered, here or elsewhere, or has expired.
    func hold(_ request: WaitingRequest) async -> HeldOutcome {
        let (outcomes, side) = AsyncStream.makeStream(of: HeldOutcome.self)
        let number = held.add(request.id, side)
        inbox.hold(request)
        tellChange()
        let (clock, end) = (client.clock, await client.instant(of: request.deadline))
        let expiry = Task {
            guard (try? await clock.sleep(until: end)) != nil else { return }
            side.yield(.failed(ApprovalError(.expired, because: "its time is over")))
        }
        defer { expiry.cancel() }
        // Without an outcome the task was cancelled: the other side waits no more.
        var outcome = HeldOutcome.failed(ApprovalError(.cancelled, because: "the task was cancelled"))
        for await settled in outcomes {
            outcome = settled
            break
        }
        guard held.remove(request.id, number: number) else { return outcome }
        inbox.release(request.id)
        tellChange()
        if case .failed(let error) = outcome { tell(error, of: request) }
        return outcome
    }

    private func tell(_ error: ApprovalError, of request: WaitingRequest) {
        switch (error.code, error.answered) {
        case (.expired, _): tell(.expired(request))
        case (.nothingToDecide, let place?): tell(.answered(request, at: place))
        case (.nothingToDecide, nil): tell(.withdrawn(request))
        // The server lists it still, for another way of the same screen.
        case (.cancelled, _) where inbox.hasWaiting(request.id): break
        // In a task of its own: this one is cancelled, and nothing can be sent in it.
        case (.cancelled, _): Task { await tellEnd(of: request) { .cancelled($0) } }
        default: tell(.failed(request.id, error))
        }
    }
}

extension ApprovalError {
    /// Whether a side that waits at this device gets no other answer to a request.
    fileprivate func ends(_ request: WaitingRequest) -> Bool {
        switch code {
        case .unreachable, .busy, .keyUnusable, .wrongNumber, .notAnswerable, .cancelled: return false
        // The answer of the other app, with its code, is lost.
        case .outcomeUnknown:
            if case .authorization = request.look { return true }
            return false
        default: return true
        }
    }
}
