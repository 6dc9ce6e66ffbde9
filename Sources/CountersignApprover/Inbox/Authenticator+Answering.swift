public import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The person's answer to a request in the inbox.
public enum RequestAnswer: Sendable, Equatable {
    /// Yes; with the digits that they typed from the other screen, if required.
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
    public nonisolated func requests() -> InboxEvents { InboxEvents(asking: client) }

    /// The requests that wait now.
    ///
    /// - Returns: The requests that can be answered, the oldest first; none is no error.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func waitingRequests() async throws(ApprovalError) -> [WaitingRequest] {
        switch await InboxPoll(client: client, tag: nil).ask() {
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
    /// This changes nothing at the server. So an unreachable server is retried, for as long as
    /// ``ApprovalOptions/lookTimeLimit``.
    ///
    /// - Parameter request: The request, from the inbox or from a push message.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``: `nothingToDecide` when it is answered or over; `expired` when it has expired by
    ///   then; others by network and server.
    public nonisolated func look(at request: SignInRequest.ID) async throws(ApprovalError) -> InboxRequestDescription {
        let shown = try await client.shown(.inbox(request), as: InboxLook.self)
        guard shown.id == request else {
            throw ApprovalError(.badAnswer, because: "another request than the one that was asked about")
        }
        guard shown.deadline > (await client.date) else {
            throw ApprovalError(.expired, because: "its time is over")
        }
        return shown
    }

    /// Looks at a request that arrived in the inbox, and retries while the server is unreachable and the request is
    /// pending.
    ///
    /// - Parameter request: The request, from ``requests()``.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``: `nothingToDecide` when it is answered; `expired` when it has expired; others that
    ///   are permanent.
    public nonisolated func look(at request: WaitingRequest) async throws(ApprovalError) -> InboxRequestDescription {
        var failures = 0
        while true {
            do throws(ApprovalError) {
                return try await client.untilExpired(request.deadline) { () async throws(ApprovalError) in
                    try await look(at: request.id)
                }
            } catch {
                guard [.unreachable, .busy].contains(error.code) else { throw error }
                failures += 1
                let end = await client.instant(of: request.deadline)
                let clock = client.clock
                let next = clock.instant() + InboxPause.after(failures, asked: error.retryAfter)
                guard next < end else { throw error }
                guard (try? await clock.sleep(until: next)) != nil else {
                    throw ApprovalError(.cancelled, because: "the task was cancelled")
                }
            }
        }
    }

    /// Signs the person's answer, and sends it to the server; when this returns, the server has stored it, and it is
    /// final.
    ///
    /// - Parameters:
    ///   - answer: The person's answer.
    ///   - shown: The displayed request, as ``look(at:)`` gave it.
    /// - Throws: ``ApprovalError``: `notAnswerable` for a request with a passcode, `expired` when it has expired,
    ///   `nothingToDecide` when it was answered, `digitsNeeded` when the digits of the other screen are missing, all
    ///   before anything is sent; `wrongNumber`, after which ``look(at:)`` and another answer may follow;
    ///   `policyRefused`; `outcomeUnknown` when the answer may have been recorded; others by network and server.
    public nonisolated func answer(
        _ answer: RequestAnswer,
        to shown: InboxRequestDescription
    ) async throws(ApprovalError) {
        guard shown.account == account else { throw ApprovalError(.signedOut, because: "another account's request") }
        guard shown.kind == .instant else {
            throw ApprovalError(.notAnswerable, because: "a request with a passcode")
        }
        guard await client.date < shown.deadline else { throw ApprovalError(.expired, because: "its time is over") }
        let (said, finding) = try Self.claims(answer, to: shown)
        _ = try await client.untilExpired(shown.deadline) { () async throws(ApprovalError) in
            try await client.decide(said, by: .inbox(finding), on: shown.look, shown: shown.digest)
        }
    }

    /// The answer as a decision states it.
    private static func claims(
        _ answer: RequestAnswer,
        to shown: InboxRequestDescription
    ) throws(ApprovalError) -> (DecisionClaims.Answer, InboxFinding) {
        switch answer {
        case .deny: return (.deny, InboxFinding())
        case .report(let reason):
            return (.report, InboxFinding(reason: reason.map { cut($0, to: InboxFinding.longestReason) }))
        case .approve(let number):
            guard let digits = shown.numberDigits else { return (.approve, InboxFinding()) }
            guard let typed = TypedText.digits(number ?? ""), typed.utf8.count == digits else {
                throw ApprovalError(.digitsNeeded, because: "\(digits) digits of the other screen are needed")
            }
            return (.approve, InboxFinding(number: typed))
        }
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var text = text
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}
