public import Countersign
public import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Looks at the requests of screens nearby, and sends the person's signed answer to the server.
///
/// ```swift
/// let shown = try await approvals.look(at: request)
/// if shown.needsDigits(besides: proof) { proof = try await link.askForDigits() }
/// let answer = await phone.ask(shown, screenCallsItself: name)
/// try await approvals.decide(answer, on: shown, over: link.id, proof: proof)
/// ```
///
/// It talks to servers that the app is signed in to, and to no other, regardless of a screen's claims.
public struct NearbyApprovals: Sendable {
    /// The person's answer.
    public enum Answer: Sendable, Hashable {
        /// Yes, or no.
        case approve, deny
    }

    /// The conversations with the servers, one for each account.
    private let clients: [ApproverClient]

    /// Prepares an approver; nothing is sent before the first look.
    ///
    /// - Parameters:
    ///   - accounts: The app's sign-ins; of several at one server the first is preferred.
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
        let servers = ApproverServers(over: transport, options: options, clock: clock)
        clients = accounts.map {
            ApproverClient(for: $0, keepingKeysIn: keys, over: transport, finding: servers, drawingFrom: random)
        }
    }

    /// Looks at a request that came over a link.
    ///
    /// This changes nothing at the server. So an unreachable server is retried, for as long as
    /// ``ApprovalOptions/lookTimeLimit``: a person may have typed digits for this request, which a lost packet must not
    /// waste.
    ///
    /// - Parameters:
    ///   - request: The request that the screen sent over the authenticated link.
    ///   - account: The account to approve with; `nil` for the first one at the server that the request names.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``; `unknownIssuer` before anything is sent, `unreachable` after the time limit.
    public func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount.ID? = nil
    ) async throws(ApprovalError) -> NearbyRequestDescription {
        let client = clients.first {
            $0.account.issuer.text == request.issuer && (account == nil || $0.account.id == account)
        }
        guard let client else { throw ApprovalError(.unknownIssuer, because: "no account at that server") }
        return try await client.shown(.nearby(request.userCode, request.verifier), as: NearbyLook.self)
    }

    /// Signs the person's answer, and sends it to the server; when this returns, the server has stored it.
    ///
    /// - Parameters:
    ///   - answer: The person's answer.
    ///   - shown: The displayed request, as ``look(at:as:)`` gave it.
    ///   - link: The link that carried the request, as `ReceivedRequest.link` names it.
    ///   - proof: The proof that this phone has of the screen at the link's other end, as `ReceivedRequest.trust` says.
    /// - Throws: ``ApprovalError``; after `digitsNeeded` the same may be decided again with better proof.
    public func decide(
        _ answer: Answer,
        on shown: NearbyRequestDescription,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(ApprovalError) {
        guard let client = clients.first(where: { $0.account.id == shown.account }) else {
            throw ApprovalError(.signedOut, because: "the account is gone")
        }
        let known: NearbyFinding.Proof =
            switch proof {
            case .code: .code
            case .paired(at: let instant): .paired(at: Int(instant.timeIntervalSince1970))
            }
        _ = try await client.decide(
            answer == .approve ? .approve : .deny,
            by: .nearby(NearbyFinding(link: link, proof: known)),
            on: shown.look,
            shown: shown.digest
        )
    }
}
