public import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The person's answer to a request in the inbox.
public enum RequestAnswer: Sendable, Equatable {
    /// Yes; with the digits that they typed from the other screen, where they were asked for.
    case approve(number: String? = nil)
    /// No.
    case deny
    /// No, and it was not they who started it: the server shows them nothing more of its client until they lift that on
    /// `/account`. The reason is in their own words, at most 200 bytes; what is longer is cut.
    case report(reason: String? = nil)
}

extension Authenticator {
    /// The events of the inbox from now on, beginning with the requests that wait.
    ///
    /// - Returns: The events, for as long as they are read.
    public nonisolated func requests() -> InboxEvents { InboxEvents(asking: calls) }

    /// The requests that wait now.
    ///
    /// - Returns: The requests that can be answered, the oldest first; none is no error.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func waitingRequests() async throws(ApprovalError) -> [WaitingRequest] {
        switch await InboxPoll(calls: calls, tag: nil).ask() {
        case .listed(let inbox, _):
            var contents = InboxContents()
            _ = contents.take(inbox)
            return contents.waiting
        case .unchanged, .deadline: return []
        case .failed(let error): throw error
        }
    }

    /// Asks the server what a request is about.
    ///
    /// This changes nothing at the server. So a server that is not reached is asked again, for as long as
    /// ``ApprovalOptions/lookTimeLimit``.
    ///
    /// - Parameter request: The request, from the inbox or from a push message.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``: `nothingToDecide` when it is answered or over; `expired` when its time is over by then;
    ///   others by network and server.
    public nonisolated func look(
        at request: SignInRequest.ID
    ) async throws(ApprovalError) -> ShownAuthenticationRequest {
        let call = AuthenticatorCall(.post, "look", form: AuthenticatorLookRequest(request: request).form)
        let calls = calls
        let (response, bytes) = try await calls.conversation.persistently { () async throws(ApprovalError) in
            let (response, answer) = try await calls.message(call, as: AuthenticatorLookResponse.self)
            await calls.observe(Date(named: response.serverTime))
            return (response, answer.body)
        }
        guard response.exchange == request else {
            throw ApprovalError(.badAnswer, because: "another request than the one that was asked about")
        }
        let shown = ShownAuthenticationRequest(response, at: account, answered: bytes)
        guard shown.deadline > (await calls.date) else {
            throw ApprovalError(.expired, because: "its time is over")
        }
        return shown
    }

    /// Asks the server what a request is about that has arrived in the inbox, and again after a while for as long as it
    /// cannot be asked and the request waits.
    ///
    /// - Parameter request: The request, from ``requests()``.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``: `nothingToDecide` when it is answered; `expired` when its time is over; others where
    ///   asking again helps nothing.
    public nonisolated func look(
        at request: WaitingRequest
    ) async throws(ApprovalError) -> ShownAuthenticationRequest {
        var failures = 0
        while true {
            do throws(ApprovalError) {
                return try await calls.untilExpired(request.deadline) { () async throws(ApprovalError) in
                    try await look(at: request.id)
                }
            } catch {
                guard [.unreachable, .busy].contains(error.code) else { throw error }
                failures += 1
                let end = await calls.instant(of: request.deadline)
                let clock = calls.conversation.clock
                let next = clock.instant() + InboxPause.after(failures, asked: error.retryAfter)
                guard next < end else { throw error }
                guard (try? await clock.sleep(until: next)) != nil else {
                    throw ApprovalError(.cancelled, because: "the task was cancelled")
                }
            }
        }
    }

    /// Signs the person's answer, and tells it to the server; when this returns, it is written down there and final.
    ///
    /// - Parameters:
    ///   - answer: The person's answer.
    ///   - shown: The request that they were shown, as ``look(at:)`` gave it.
    /// - Throws: ``ApprovalError``: `notAnswerable` for a request with a passcode, `expired` when its time is over,
    ///   `nothingToDecide` when it was answered, `digitsNeeded` when the digits of the other screen are missing, all before anything
    ///   is sent; `wrongNumber`, after which ``look(at:)`` and another answer may follow; `policyRefused`;
    ///   `outcomeUnknown` when the answer may have been recorded; others by network and server.
    public nonisolated func answer(
        _ answer: RequestAnswer,
        to shown: ShownAuthenticationRequest
    ) async throws(ApprovalError) {
        guard shown.account == account else { throw ApprovalError(.signedOut, because: "another account's request") }
        guard shown.kind == .instant else {
            throw ApprovalError(.notAnswerable, because: "a request with a passcode")
        }
        let now = await calls.date
        guard now < shown.deadline else { throw ApprovalError(.expired, because: "its time is over") }
        let claims = try claims(answer, to: shown, at: now)
        let decision = try await calls.conversation.signed(claims, for: calls.account) { claims, signer in
            claims.isUserVerified = signer.verifiesUser && claims.answer.isApproval
        }
        var call = AuthenticatorCall(.post, "decide", form: UnverifiedAuthenticatorDecision.form(with: decision))
        call.decides = true
        let said = try await calls.untilExpired(shown.deadline) { () async throws(ApprovalError) in
            try await calls.message(call, as: AuthenticatorDecideResponse.self).message
        }
        guard said.exchange == shown.id, said.decision == claims.answer else {
            throw ApprovalError(.badAnswer, because: "another decision than was sent")
        }
    }

    private nonisolated func claims(
        _ answer: RequestAnswer,
        to shown: ShownAuthenticationRequest,
        at date: Date
    ) throws(ApprovalError) -> AuthenticatorDecisionClaims {
        var claims = AuthenticatorDecisionClaims(
            audience: issuer.text,
            exchange: shown.id,
            nonce: shown.nonce,
            answer: .deny,
            shown: shown.digest,
            issued: Int(date.timeIntervalSince1970),
            id: calls.conversation.stamp().id
        )
        switch answer {
        case .deny: break
        case .report(let reason):
            claims.answer = .report
            claims.reason = reason.map { Self.cut($0, to: AuthenticatorDecisionClaims.longestReason) }
        case .approve(let number):
            claims.answer = .approve
            guard let digits = shown.numberDigits else { break }
            guard let typed = TypedText.digits(number ?? ""), typed.utf8.count == digits else {
                throw ApprovalError(.digitsNeeded, because: "\(digits) digits of the other screen are needed")
            }
            claims.number = typed
        }
        return claims
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var text = text
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}
