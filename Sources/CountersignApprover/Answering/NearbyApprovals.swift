public import Countersign
public import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Looks at what screens nearby ask for, and brings the person's signed answer to the server.
///
/// ```swift
/// let shown = try await approvals.look(at: request)
/// if shown.needsDigits(besides: proof) { proof = try await link.askForDigits() }
/// let answer = await phone.ask(shown, screenCallsItself: name)
/// try await approvals.decide(answer, on: shown, over: link.id, proof: proof)
/// ```
///
/// It talks to servers that the app is signed in to, and to no other, whatever a screen says.
public struct NearbyApprovals: Sendable {
    /// The person's answer.
    public enum Answer: Sendable, Hashable {
        /// Yes, or no.
        case approve, deny
    }

    /// The app, as the servers know it.
    private let conversation: ApproverConversation

    /// Prepares an approver; nothing is sent before it is asked to look.
    ///
    /// - Parameters:
    ///   - accounts: As whom the app is signed in, and where; of several at one server the first is preferred.
    ///   - keys: The store of the keys for decisions, one for each account.
    ///   - transport: The network, as `AsyncHTTPTransport()` on Linux.
    ///   - options: Time limits, and whether servers without encryption are allowed; what suits a phone by default.
    ///   - random: The source of the decisions' names.
    ///   - clock: Dates each decision, and counts the pauses between attempts at reaching the server.
    public init(
        for accounts: [ApproverAccount],
        keepingKeysIn keys: any ApproverKeyStore,
        over transport: any HTTPTransport,
        options: ApprovalOptions = ApprovalOptions(),
        drawingFrom random: RandomSource,
        clock: TimeSource
    ) {
        conversation = ApproverConversation(
            accounts: accounts,
            keys: keys,
            transport: transport,
            servers: ApproverServers(transport: transport, options: options),
            options: options,
            random: random,
            clock: clock
        )
    }

    /// Asks the server what is behind a request that came over a link.
    ///
    /// This changes nothing at the server. So a server that is not reached is asked again, for as long as
    /// ``ApprovalOptions/lookTimeLimit``: a person may have typed digits for this request, which a lost packet must
    /// not waste.
    ///
    /// - Parameters:
    ///   - request: The request that the screen sent over the authenticated link.
    ///   - account: The account to approve with; `nil` for the first one at the server that the request names.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``; `unknownIssuer` before anything is sent, `unreachable` when the time is over.
    public func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount.ID? = nil
    ) async throws(ApprovalError) -> ShownRequest {
        guard
            let account = conversation.accounts.first(where: {
                $0.issuer.text == request.issuer && (account == nil || $0.id == account)
            })
        else { throw ApprovalError(.unknownIssuer, because: "no account at that server") }
        return try await conversation.persistently { () async throws(ApprovalError) in
            try await look(at: request, as: account)
        }
    }

    /// One attempt at a look.
    private func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount
    ) async throws(ApprovalError) -> ShownRequest {
        let server = try await conversation.servers.server(of: account.issuer, for: .nearby)
        let form = NearbyLookRequest(userCode: request.userCode, verifier: request.verifier).form
        let answer = try await conversation.look(form, at: server.look, as: account, accessDenied: .digitsNeeded)
        do throws(Unreadable) {
            let response = try answer.decoded(NearbyLookResponse.self)
            return ShownRequest(response, at: account.id, answered: answer.body)
        } catch {
            throw ApprovalError(.badAnswer, because: error.reason)
        }
    }

    /// Signs the person's answer, and tells it to the server; when this returns, it is written down there.
    ///
    /// - Parameters:
    ///   - answer: The person's answer.
    ///   - shown: The request that they were shown, as ``look(at:as:)`` gave it.
    ///   - link: The link that carried the request, as `ReceivedRequest.link` names it.
    ///   - proof: The proof that this phone has of the screen at the link's other end, as `ReceivedRequest.trust` says.
    /// - Throws: ``ApprovalError``; after `digitsNeeded` the same may be decided again with better proof.
    public func decide(
        _ answer: Answer,
        on shown: ShownRequest,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(ApprovalError) {
        guard let account = conversation.accounts.first(where: { $0.id == shown.account }) else {
            throw ApprovalError(.signedOut, because: "the account is gone")
        }
        let server = try await conversation.servers.server(of: account.issuer, for: .nearby)
        let decision = try await signed(answer, on: shown, for: account, over: link, proof: proof)
        let form = UnverifiedNearbyDecision.form(with: decision)
        let received = try await conversation.decide(form, at: server.decide, as: account, accessDenied: .digitsNeeded)
        guard let said = try? received.decoded(NearbyDecideResponse.self), said.exchange == shown.exchange,
            said.decision == answer.claim
        else { throw ApprovalError(.badAnswer, because: "another decision than was sent") }
    }

    /// The decision as a signed token.
    ///
    /// Standard: RFC 7515 (JWS), with the type `countersign-nearby+jwt`.
    private func signed(
        _ answer: Answer,
        on shown: ShownRequest,
        for account: ApproverAccount,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(ApprovalError) -> String {
        let (issued, id) = conversation.stamp()
        let claims = NearbyDecisionClaims(
            audience: account.issuer.text,
            exchange: shown.exchange,
            nonce: shown.nonce,
            answer: answer.claim,
            shown: shown.digest,
            link: link,
            proof: proof.claim,
            issued: issued,
            id: id
        )
        return try await conversation.signed(claims, for: account)
    }
}

extension NearbyApprovals.Answer {
    /// The answer as it stands in the token.
    fileprivate var claim: NearbyDecisionClaims.Answer {
        switch self {
        case .approve: .approve
        case .deny: .deny
        }
    }
}

extension NearbyProof {
    /// The proof as it stands in the token.
    fileprivate var claim: NearbyDecisionClaims.Proof {
        switch self {
        case .code: .code
        case .paired(at: let instant): .paired(at: Int(instant.timeIntervalSince1970))
        }
    }
}
