public import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Approver {
    /// Shows the request of a screen nearby in the inbox, and waits until the person has answered it there.
    ///
    /// A request that waits in the server's list already stays the one that it is, and gets what the link adds: the
    /// ``WaitingRequest`` has the same `id` in the next ``ApproverEvent/waiting(_:)``. The person's answer to either goes
    /// over the link.
    ///
    /// ```swift
    /// let answer = try await approver.ask(asked, over: request.link, proof: request.trust)
    /// return answer.isApproval ? .approve(.atServer, pairs: false) : .decline
    /// ```
    ///
    /// When its task is cancelled, because the screen has gone, the request goes from the inbox.
    ///
    /// - Parameters:
    ///   - request: The request that the screen sent over the authenticated link.
    ///   - link: The link that carried it, as `ReceivedRequest.link` names it.
    ///   - proof: The proof that this phone has of the screen at the link's other end, as `ReceivedRequest.trust` says.
    /// - Returns: The person's answer, which the server has stored.
    /// - Throws: ``ApprovalError``: `unknownIssuer` before anything is sent; `digitsNeeded` when the person has to type
    ///   the digits of the screen first, before anything is shown, or when the server's rules want them; `expired`;
    ///   `nothingToDecide` when it was answered elsewhere, or here before; others by network and server.
    public func ask(
        _ request: NearbySignInRequest,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(ApprovalError) -> RequestAnswer {
        try await ask(try await look(at: request, over: link, proof: proof))
    }

    /// Shows a request that was looked at in the inbox, and waits until the person has answered it there, as
    /// ``ask(_:over:proof:)`` does.
    ///
    /// - Parameter request: The request of a screen nearby, as ``look(at:over:proof:)`` gave it.
    /// - Returns: The person's answer, which the server has stored.
    /// - Throws: ``ApprovalError`` as ``ask(_:over:proof:)``, without the errors of the look.
    public func ask(_ request: WaitingRequest) async throws(ApprovalError) -> RequestAnswer {
        guard !request.needsDigits || inbox.isApprovable(request.id) else {
            throw ApprovalError(.digitsNeeded, because: "a pairing is not enough here")
        }
        // The person may have answered it in the list since the look.
        guard !answers.has(request.id) else { throw ApprovalError(.nothingToDecide, because: "answered here") }
        switch await hold(request) {
        case .answered(let answer, _): return answer
        case .browser: throw ApprovalError(.notAnswerable, because: "no request of another app")
        case .failed(let error): throw error
        }
    }

    /// Looks at a request that came over a link, for an app that shows it itself.
    ///
    /// This changes nothing at the server. So an unreachable server is retried, for as long as
    /// ``ApprovalOptions/lookTimeLimit``: a person may have typed digits for this request, which a lost packet must not
    /// waste.
    ///
    /// - Parameters:
    ///   - request: The request that the screen sent over the authenticated link.
    ///   - link: The link that carried it, as `ReceivedRequest.link` names it.
    ///   - proof: The proof that this phone has of the screen at the link's other end, as `ReceivedRequest.trust` says.
    /// - Returns: The request to show to the person, for ``answer(_:to:)``.
    /// - Throws: ``ApprovalError``; `unknownIssuer` before anything is sent, `unreachable` after the time limit.
    public nonisolated func look(
        at request: NearbySignInRequest,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(ApprovalError) -> WaitingRequest {
        guard issuer.text == request.issuer else {
            throw ApprovalError(.unknownIssuer, because: "no account at that server")
        }
        let (look, digest) = try await client.shown(.nearby(request.userCode, request.verifier), as: NearbyLook.self)
        let known: NearbyFinding.Proof =
            switch proof {
            case .code: .code
            case .paired(at: let instant): .paired(at: Int(instant.timeIntervalSince1970))
            }
        return WaitingRequest(look, NearbyFinding(link: link, proof: known), at: account, digest)
    }
}

extension WaitingRequest {
    /// Whether the person has to type the digits of a screen nearby before they can approve: a pairing is enough only
    /// where the server sees both in one network.
    public var needsDigits: Bool {
        guard case .nearby(let look, let finding) = self.look else { return false }
        switch finding.proof {
        case .code: return false
        case .paired(at: let instant):
            let proof = NearbyProof.paired(at: Date(named: instant))
            return !Evidence([.nearby(how: proof, sameNetwork: look.details.sameNetwork)]).isNearby
        }
    }
}
