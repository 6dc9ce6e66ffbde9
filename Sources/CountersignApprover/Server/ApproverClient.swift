internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The conversation of an app with the server of one account, whatever it approves there: its looks, its signed
/// decisions, and its other calls. Each ends in one answer or one ``ApprovalError``.
actor ApproverClient {
    /// The account that the app is signed in as.
    nonisolated let account: ApproverAccount
    /// The store of the keys for decisions.
    nonisolated let keys: any ApproverKeyStore
    /// The endpoints of the servers, found once each.
    nonisolated let servers: ApproverServers
    nonisolated let clock: TimeSource
    private let transport: any HTTPTransport
    private let options: ApprovalOptions
    private let random: RandomSource
    private var serverClock = ServerClock()
    /// The decisions whose answers were lost.
    private var unconfirmed: [SignInRequest.ID: UnconfirmedDecision] = [:]

    init(
        for account: ApproverAccount,
        keepingKeysIn keys: any ApproverKeyStore,
        over transport: any HTTPTransport,
        finding servers: ApproverServers,
        drawingFrom random: RandomSource
    ) {
        self.account = account
        self.keys = keys
        self.transport = transport
        self.servers = servers
        options = servers.options
        self.random = random
        clock = servers.clock
    }

    // MARK: Looks and decisions

    /// Looks at a request, and retries while the server is unreachable, which is idempotent.
    ///
    /// - Returns: The answer, and the digest of its body as it came, which a decision signs.
    /// - Throws: ``ApprovalError``.
    nonisolated func look<Details: LookDetails>(
        at request: ApproverLookRequest,
        as details: Details.Type
    ) async throws(ApprovalError) -> (response: ApproverLookResponse<Details>, digest: AnswerDigest) {
        try await servers.persistently { () async throws(ApprovalError) in
            let (response, answer) = try await message(.look(request), as: ApproverLookResponse<Details>.self)
            if case .decide(let look) = response { await observe(Date(named: look.serverTime)) }
            return (response, AnswerDigest(of: answer.body))
        }
    }

    /// Looks at a request that only the person can answer, at this app.
    ///
    /// - Returns: The facts to show to the person, and the digest of the answer that has them.
    /// - Throws: ``ApprovalError``.
    nonisolated func shown<Details: LookDetails>(
        _ request: ApproverLookRequest,
        as details: Details.Type
    ) async throws(ApprovalError) -> (look: ApproverLook<Details>, digest: AnswerDigest) {
        let (response, digest) = try await look(at: request, as: details)
        guard case .decide(let look) = response else {
            throw ApprovalError(.badAnswer, because: "a step that only authorization requests have")
        }
        return (look, digest)
    }

    /// A decision that was sent, and whose answer was lost.
    private struct UnconfirmedDecision {
        let answer: DecisionClaims.Answer
        let finding: DecisionClaims.Finding
        let session: SessionTerm?
        let signed: String
        let instant: ContinuousClock.Instant
    }

    /// The time in which a server takes a signed decision, with some time for its way.
    private static let freshness = Duration.seconds(45)

    /// Signs an answer and sends it, once; when this returns, it is written down at the server.
    ///
    /// The same answer after one that was lost is the same signed text, which the server confirms without deciding
    /// again. An authorization request is answered anew: its code was in the answer.
    ///
    /// Standard: RFC 7515 (JWS), with the type of ``DecisionClaims``.
    ///
    /// - Parameters:
    ///   - answer: The person's answer, or that they were not asked.
    ///   - finding: The way the request was found.
    ///   - look: The displayed request.
    ///   - digest: The digest of the server's answer to the look.
    ///   - parameters: The parameters of an authorization request; `nil` for any other.
    ///   - session: The time of the sign-in that the person chose; `nil` where they chose none.
    /// - Throws: ``ApprovalError``.
    func decide(
        _ answer: DecisionClaims.Answer,
        by finding: DecisionClaims.Finding,
        on look: ApproverLook<some LookDetails>,
        shown digest: AnswerDigest,
        to parameters: String? = nil,
        for session: SessionTerm? = nil
    ) async throws(ApprovalError) -> ApproverDecideResponse {
        let (signed, instant): (String, ContinuousClock.Instant)
        if let sent = unconfirmed.removeValue(forKey: look.exchange), sent.answer == answer, sent.finding == finding,
            sent.session == session, clock.instant() - sent.instant < Self.freshness
        {
            (signed, instant) = (sent.signed, sent.instant)
        } else {
            var claims = DecisionClaims(
                answer, by: finding, on: look, shown: digest, audience: account.issuer.text,
                issued: Int(date.timeIntervalSince1970), id: URLSafeText.encode(random.bytes(16)))
            claims.session = session
            (signed, instant) = (try await text(of: claims), clock.instant())
        }
        let said: ApproverDecideResponse
        do throws(ApprovalError) {
            let form = ApproverDecideRequest.form(with: signed, on: parameters)
            said = try await message(.decide(form, of: finding.method), as: ApproverDecideResponse.self).message
        } catch {
            if error.code == .outcomeUnknown, parameters == nil {
                let now = clock.instant()
                unconfirmed = unconfirmed.filter { now - $0.value.instant < Self.freshness }
                unconfirmed[look.exchange] = UnconfirmedDecision(
                    answer: answer, finding: finding, session: session, signed: signed, instant: instant)
            }
            throw error
        }
        guard said.exchange == look.exchange,
            said.outcome == answer.outcome || said.outcome == .refused && finding.method.opensAnswer
        else { throw ApprovalError(.badAnswer, because: "another decision than was sent") }
        return said
    }

    /// The signed text of a decision.
    private func text(of claims: DecisionClaims) async throws(ApprovalError) -> String {
        var claims = claims
        do {
            let signer = try await keys.signer(for: account.id)
            if case .inbox(var finding) = claims.finding {
                finding.isUserVerified = signer.verifiesUser && claims.answer.isApproval
                claims.finding = .inbox(finding)
            }
            return try UnverifiedDecision.text(of: claims, by: signer.publicKey, signedBy: signer.signature(over:))
        } catch {
            throw ApprovalError(.keyUnusable, because: "\(error)")
        }
    }

    /// Whether an approval in the inbox will state that the device verified the person; not while the key cannot be
    /// used.
    nonisolated var verifiesUser: Bool {
        get async { (try? await keys.signer(for: account.id))?.verifiesUser ?? false }
    }

    // MARK: The server's clock

    /// The server's date.
    var date: Date { serverClock.date(at: clock.moment()) }

    /// The instant when the server's clock will show a date.
    func instant(of date: Date) -> ContinuousClock.Instant {
        serverClock.instant(of: date, from: clock.moment())
    }

    /// Takes in the time that a message holds.
    ///
    /// - Parameter hold: The time that the server may have held it back, in seconds.
    func observe(_ date: Date, holding hold: Int = 0) {
        observe(date, within: options.timeLimit + .seconds(hold))
    }

    private func observe(_ date: Date, within span: Duration) {
        serverClock.observe(date, within: span, at: clock.instant())
    }

    /// Makes a call about a request. The server reports expired and answered requests alike; the first is mapped to
    /// `expired`.
    nonisolated func untilExpired<Value: Sendable>(
        _ deadline: Date,
        _ call: () async throws(ApprovalError) -> Value
    ) async throws(ApprovalError) -> Value {
        do throws(ApprovalError) {
            return try await call()
        } catch {
            guard error.code == .nothingToDecide, error.answered == nil, await date >= deadline else { throw error }
            throw ApprovalError(.expired, because: error.reason)
        }
    }

    // MARK: Calls

    /// Sends a call.
    ///
    /// - Returns: The answer, whose status is 200, 204 or 304.
    func send(_ call: ApproverCall) async throws(ApprovalError) -> HTTPAnswer {
        let endpoint = try await servers.endpoint(call.place, of: account.issuer)
        var request = endpoint.request(call.method)
        for field in call.fields { request.headerFields[field.name] = field.value }
        if !call.body.isEmpty || call.bodyForToken != nil { request.headerFields[.contentType] = call.type }
        let answer = try await account.answer(to: request) { request throws(ApprovalError) in
            try await sendOnce(request, of: call)
        }
        switch answer.response.status {
        case .ok, .noContent, .notModified: return answer
        default: throw ApprovalError(answer, to: call)
        }
    }

    private func sendOnce(_ request: HTTPRequest, of call: ApproverCall) async throws(ApprovalError) -> HTTPAnswer {
        let body = try call.body(of: request)
        let sent = clock.instant()
        do throws(TransportError) {
            let answer = try await transport.send(request, body: body, within: call.limit(by: options))
            if let date = answer.response.headerFields[.date].flatMap(HTTPDate.date(of:)) {
                observe(date, within: clock.instant() - sent)
            }
            return answer
        } catch {
            throw call.decides ? ApprovalError(deciding: error) : ApprovalError(looking: error)
        }
    }

    /// Sends a call that is answered with a message.
    func message<Message: Decodable>(
        _ call: ApproverCall,
        as type: Message.Type = Message.self
    ) async throws(ApprovalError) -> (message: Message, answer: HTTPAnswer) {
        let answer = try await send(call)
        guard answer.response.status == .ok else { throw ApprovalError(.badAnswer, because: "no message") }
        do throws(UnreadableAnswerError) {
            return (try answer.decoded(Message.self), answer)
        } catch {
            throw ApprovalError(.badAnswer, because: error.reason)
        }
    }

    /// Sends a call whose answer has no content.
    func done(_ call: ApproverCall) async throws(ApprovalError) {
        let answer = try await send(call)
        guard answer.response.status == .noContent || answer.response.status == .ok else {
            throw ApprovalError(.badAnswer, because: "status \(answer.response.status.code)")
        }
    }
}
