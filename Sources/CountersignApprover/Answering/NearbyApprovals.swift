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
/// It talks to servers to which the app is signed in, and to no other, whatever a screen says.
public struct NearbyApprovals: Sendable {
    /// What the person says.
    public enum Answer: Sendable, Hashable {
        /// Yes, or no.
        case approve, deny
    }

    /// As whom the app is signed in, the preferred account first.
    private let accounts: [ApproverAccount]
    /// Where the keys for decisions are kept.
    private let keys: any ApproverKeyStore
    /// The network.
    private let transport: any HTTPTransport
    /// The endpoints of the servers, found once each.
    private let servers: ApproverServers
    /// Where there is a choice.
    private let options: NearbyApprovalOptions
    /// What names each decision.
    private let random: RandomSource
    /// The time.
    private let clock: TimeSource

    /// Prepares an approver; nothing is sent before it is asked to look.
    ///
    /// - Parameters:
    ///   - accounts: As whom the app is signed in, and where; of several at one server the first is preferred.
    ///   - keys: Where the keys for decisions are kept, one for each account.
    ///   - transport: The network, as `AsyncHTTPTransport()` on Linux.
    ///   - options: Time limits, and whether servers without encryption are allowed; what suits a phone by default.
    ///   - random: What names each decision.
    ///   - clock: Dates each decision, and counts the pauses between attempts at reaching the server.
    public init(
        for accounts: [ApproverAccount],
        keepingKeysIn keys: any ApproverKeyStore,
        over transport: any HTTPTransport,
        options: NearbyApprovalOptions = NearbyApprovalOptions(),
        drawingFrom random: RandomSource,
        clock: TimeSource
    ) {
        self.accounts = accounts
        self.keys = keys
        self.transport = transport
        self.options = options
        self.random = random
        self.clock = clock
        servers = ApproverServers(transport: transport, options: options)
    }

    /// Asks the server what is behind a request that came over a link.
    ///
    /// This changes nothing at the server. So a server that is not reached is asked again, for as long as
    /// ``NearbyApprovalOptions/lookTimeLimit``: a person may have typed digits for this request, which a lost packet must
    /// not waste.
    ///
    /// - Parameters:
    ///   - request: What the screen has sent over the authenticated link.
    ///   - account: The account to approve with; `nil` for the first one at the server that the request names.
    /// - Returns: What to show to the person.
    /// - Throws: ``NearbyApprovalError``; `unknownIssuer` before anything is sent, `unreachable` when the time is over.
    public func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount.ID? = nil
    ) async throws(NearbyApprovalError) -> ShownRequest {
        guard
            let account = accounts.first(where: {
                $0.issuer.text == request.issuer && (account == nil || $0.id == account)
            })
        else { throw NearbyApprovalError(.unknownIssuer, because: "no account at that server") }
        return try await persistently { () async throws(NearbyApprovalError) in try await look(at: request, as: account)
        }
    }

    /// One attempt at a look.
    private func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount
    ) async throws(NearbyApprovalError) -> ShownRequest {
        let server = try await servers.server(of: account.issuer)
        let form = NearbyLookRequest(userCode: request.userCode, verifier: request.verifier).form
        let message = try await message(to: server.look, as: account)
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(message, body: Array(form.encoded.utf8), within: options.attemptTimeLimit)
        } catch {
            throw NearbyApprovalError(looking: error)
        }
        guard answer.response.status == .ok else { throw NearbyApprovalError(answer) }
        do throws(Unreadable) {
            let response = try answer.decoded(NearbyLookResponse.self)
            return ShownRequest(response, at: account.id, answered: answer.body)
        } catch {
            throw NearbyApprovalError(.badAnswer, because: error.reason)
        }
    }

    /// Repeats what changes nothing until the server is reached or the time is over.
    private func persistently<Value: Sendable>(
        _ attempt: () async throws(NearbyApprovalError) -> Value
    ) async throws(NearbyApprovalError) -> Value {
        let end = clock.instant() + options.lookTimeLimit
        var pause = Duration.milliseconds(250)
        while true {
            do throws(NearbyApprovalError) {
                return try await attempt()
            } catch {
                guard error.isPassing, clock.instant() + pause < end else { throw error }
            }
            guard (try? await clock.sleep(for: pause)) != nil else {
                throw NearbyApprovalError(.cancelled, because: "the task was cancelled")
            }
            pause = min(pause * 2, .seconds(4))
        }
    }

    /// Signs the person's answer, and tells it to the server; when this returns, it is written down there.
    ///
    /// - Parameters:
    ///   - answer: What the person said.
    ///   - shown: What they were shown, as ``look(at:as:)`` gave it.
    ///   - link: The link over which the request came, as `ReceivedRequest.link` names it.
    ///   - proof: How this phone knows the screen at its other end, as `ReceivedRequest.trust` says.
    /// - Throws: ``NearbyApprovalError``; after `digitsNeeded` the same may be decided again with better proof.
    public func decide(
        _ answer: Answer,
        on shown: ShownRequest,
        over link: NearbyLinkID,
        proof: NearbyProof
    ) async throws(NearbyApprovalError) {
        guard let account = accounts.first(where: { $0.id == shown.account }) else {
            throw NearbyApprovalError(.signedOut, because: "the account is gone")
        }
        let server = try await servers.server(of: account.issuer)
        let decision = try await signed(answer, on: shown, for: account, over: link, proof: proof)
        let form = UnverifiedNearbyDecision.form(with: decision)
        let message = try await message(to: server.decide, as: account)
        let received: HTTPAnswer
        do throws(TransportError) {
            received = try await transport.send(message, body: Array(form.encoded.utf8), within: options.timeLimit)
        } catch {
            throw NearbyApprovalError(deciding: error)
        }
        guard received.response.status == .ok else { throw NearbyApprovalError(received) }
        guard let said = try? received.decoded(NearbyDecideResponse.self), said.exchange == shown.exchange,
            said.decision == answer.claim
        else { throw NearbyApprovalError(.badAnswer, because: "another decision than was sent") }
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
    ) async throws(NearbyApprovalError) -> String {
        let claims = NearbyDecisionClaims(
            audience: account.issuer.text,
            exchange: shown.exchange,
            nonce: shown.nonce,
            answer: answer.claim,
            shown: shown.digest,
            link: link,
            proof: proof.claim,
            issued: Int(clock.now().timeIntervalSince1970),
            id: URLSafeText.encode(random.bytes(16))
        )
        do {
            let signer = try await keys.signer(for: account.id)
            return try UnverifiedNearbyDecision.text(
                of: claims,
                by: signer.publicKey,
                signedBy: signer.signature(over:)
            )
        } catch {
            throw NearbyApprovalError(.keyUnusable, because: "\(error)")
        }
    }

    /// A request in the name of an account.
    private func message(
        to endpoint: Endpoint,
        as account: ApproverAccount
    ) async throws(NearbyApprovalError) -> HTTPRequest {
        let token: AccessToken
        do {
            token = try await account.accessToken()
        } catch {
            throw NearbyApprovalError(authenticating: error)
        }
        var request = endpoint.request(.post)
        request.headerFields[.authorization] = BearerHeader.value(for: token)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return request
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
