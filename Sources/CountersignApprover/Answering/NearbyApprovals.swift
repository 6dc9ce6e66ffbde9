public import Countersign
public import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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
        case approve, deny
    }

    private let accounts: [ApproverAccount]
    private let keys: any ApproverKeyStore
    private let transport: any HTTPTransport
    private let servers: ApproverServers
    private let options: NearbyApprovalOptions
    private let random: RandomSource
    private let now: @Sendable () -> Date

    /// Prepares an approver; nothing is sent before it is asked to look.
    ///
    /// - Parameters:
    ///   - accounts: As whom the app is signed in, and where.
    ///   - keys: Where the keys for decisions are kept.
    ///   - transport: The network.
    ///   - options: Where there is a choice.
    ///   - random: What names each decision.
    ///   - now: The time.
    public init(
        for accounts: [ApproverAccount],
        keepingKeysIn keys: any ApproverKeyStore,
        over transport: any HTTPTransport,
        options: NearbyApprovalOptions = NearbyApprovalOptions(),
        drawingFrom random: RandomSource,
        now: @escaping @Sendable () -> Date
    ) {
        self.accounts = accounts
        self.keys = keys
        self.transport = transport
        self.options = options
        self.random = random
        self.now = now
        servers = ApproverServers(transport: transport, options: options)
    }

    /// Asks the server what is behind a request that came over a link.
    ///
    /// Of several accounts at one server it is the first, unless `account` names another one.
    ///
    /// - Throws: ``NearbyApprovalError``; `unknownIssuer` before anything is sent.
    public func look(
        at request: NearbySignInRequest,
        as account: ApproverAccount.ID? = nil
    ) async throws(NearbyApprovalError) -> ShownRequest {
        guard
            let account = accounts.first(where: {
                $0.issuer.text == request.issuer && (account == nil || $0.id == account)
            })
        else { throw NearbyApprovalError(.unknownIssuer, because: "no account at that server") }
        let server = try await servers.server(of: account.issuer)
        let form = NearbyLookRequest(userCode: request.userCode, verifier: request.verifier).form
        let message = try await message(to: server.look, as: account)
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(message, body: Array(form.encoded.utf8), within: options.timeLimit)
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

    /// Signs the person's answer, and tells it to the server; when this returns, it is written down there.
    ///
    /// - Parameters:
    ///   - answer: What the person said.
    ///   - shown: What they were shown.
    ///   - link: The link over which the request came.
    ///   - proof: How this phone knows the screen at its other end.
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
            issued: Int(now().timeIntervalSince1970),
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
            throw NearbyApprovalError(.signedOut, because: "no access token: \(error)")
        }
        var request = endpoint.request(.post)
        request.headerFields[.authorization] = BearerHeader.value(for: token)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return request
    }
}

extension NearbyApprovals.Answer {
    fileprivate var claim: NearbyDecisionClaims.Answer {
        switch self {
        case .approve: .approve
        case .deny: .deny
        }
    }
}

extension NearbyProof {
    fileprivate var claim: NearbyDecisionClaims.Proof {
        switch self {
        case .code: .code
        case .paired(at: let instant): .paired(at: Int(instant.timeIntervalSince1970))
        }
    }
}
