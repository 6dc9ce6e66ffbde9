internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

// Every way of starting takes these steps, in this order and in one change: `admitting`, `request`, and `insert` unless
// the request is decided at once.
extension SignInStartService {
    /// The addressee of a new request.
    enum Addressee: Sendable {
        /// Any person who finds it may take it. One person may be asked on their devices, too; they are not if they
        /// muted the client.
        case anybody(asking: Subject?)
        /// The person who decides it in the same change, and is not asked.
        case decider(Subject)
        /// The person whose code was typed on the screen. They wait for the question, so that no mute applies, and
        /// nothing calls them.
        case starter(Subject)
        /// The person to ask. If they muted the client, the request is addressed to a placeholder subject instead, and
        /// the requesting party cannot tell the difference. A question that calls them counts, for the network `at`
        /// which a site says that its visitor is.
        case person(Subject, orNobody: Subject, isCounted: Bool, at: String?)
    }

    /// Asks policy, counts the request, and starts it. A request whose demands none of its ways can meet is refused.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - start: Takes the next steps; it does not run when policy does not allow the client to ask.
    /// - Throws: ``RateLimitError``; what `start` throws.
    func admitting<Outcome: StartOutcome>(
        _ asked: SignInStartRequest,
        at now: Date,
        in repositories: any Repositories,
        _ start: (AdmittedStart) throws -> Outcome
    ) throws -> Outcome {
        let client = asked.client.id
        let ways = asked.ways(under: policy)
        do {
            try policy.authorize(
                .start, client: client, subject: nil, evidence: Evidence(), at: now, in: repositories)
            guard !ways.isEmpty else { throw Policy.ViolationError.noWay }
        } catch let refusal as Policy.ViolationError {
            return .refused(refusal)
        }
        try limits.admitAndCount(asked.rateKeys, in: repositories)
        return try start(AdmittedStart(asked, by: ways, on: try asked.rememberedScreen(in: repositories)))
    }

    /// The limits for a client that starts a sign-in, in every way.
    static func rateKeys(_ client: Client, _ provenance: Provenance, from address: String?) -> [RateLimitKey] {
        [
            .party(
                client, provenance, at: address, perClient: .startPerClient, perAddress: .startPerAddress),
            .overall(.startOverall),
        ]
    }

    /// Determines the addressee, and makes the request with its terms.
    ///
    /// - Parameters:
    ///   - start: The request that was admitted.
    ///   - id: Its identifier.
    ///   - method: Its method.
    ///   - code: The digest of the code that the client polls or redeems with.
    ///   - addressee: Its addressee.
    func request(
        _ start: AdmittedStart,
        as id: SignInRequest.ID,
        by method: SignInMethod,
        under code: SecretDigest,
        to addressee: Addressee,
        at now: Date,
        in repositories: any Repositories
    ) throws -> NewRequest {
        let asked = start.asked
        let subject: Subject?
        var remembered: Subject?
        var attention = Attention.called
        switch addressee {
        case .anybody(asking: let person):
            subject = nil
            if let person {
                attention = try self.attention(
                    of: person, for: asked.client.id, counting: true, from: asked.address, at: now, in: repositories)
                if attention != .muted { remembered = person }
            }
        case .decider(let decider): subject = decider
        case .starter(let starter): subject = starter
        case .person(let person, orNobody: let nobody, isCounted: let isCounted, at: let address):
            attention = try self.attention(
                of: person, for: asked.client.id, counting: isCounted, from: address, at: now, in: repositories)
            subject = attention == .muted ? nobody : person
        }
        var terms = asked.terms(under: policy, at: now)
        terms.screen = start.screen?.id
        terms.isSilent = attention == .silent
        if case .starter = addressee { terms.isStartedByCode = true }
        var request = asked.request(id: id, addressedTo: subject, at: now)
        request.rememberedPerson = remembered
        return NewRequest(
            SignInExchangeRecord(
                exchange: SignInExchange(request: request),
                requestCode: code,
                method: method,
                interval: Self.interval,
                terms: terms
            ),
            isMuted: attention == .muted
        )
    }

    /// Stores an undecided request.
    func insert(_ request: NewRequest, in repositories: any Repositories) throws {
        try repositories.exchanges.insert(request.stored)
    }

    /// The way that a question reaches a person.
    private enum Attention {
        /// Their devices and their telephone tell of it.
        case called
        /// It waits for them, and nothing tells of it: they were called too often.
        case silent
        /// It is never shown to them, since they muted the client.
        case muted
    }

    /// Says how a question reaches a person, and counts one that calls them. Questions that a site asks for a visitor
    /// in a network that the person used before count for themselves, so that strangers silence none of them.
    private func attention(
        of subject: Subject,
        for client: ClientID,
        counting isCounted: Bool,
        from address: String?,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Attention {
        guard try repositories.mutes.find(subject, client) == nil else { return .muted }
        guard isCounted else { return .called }
        var place = ""
        if try VisitHistory(repositories).isKnown(subject, at: address, asOf: now) {
            place = "\n\(CountedAddress.text(of: address))"
        }
        let questions = [
            RateLimitKey(
                rule: .questionPerSource, whom: "\(client)\n\(subject)\(place)", subject: subject, client: client),
            RateLimitKey(rule: .questionPerAccount, whom: "\(subject)\(place)", subject: subject),
        ]
        guard try !limits.isReached(questions, in: repositories) else { return .silent }
        try limits.count(questions, in: repositories)
        return .called
    }
}

/// The outcome of one way of starting a request.
protocol StartOutcome: Sendable {
    /// Policy does not allow the client to ask.
    static func refused(_ refusal: Policy.ViolationError) -> Self
}

/// A request that policy and the limits let through; made by ``SignInStartService/admitting(_:at:in:_:)`` alone.
struct AdmittedStart: Sendable {
    let asked: SignInStartRequest
    /// The ways of the request that can meet its demands; never empty.
    let ways: Set<SignInWay>
    /// The screen that asks, if its person is remembered there; `nil` for none.
    let screen: RememberedScreen?

    fileprivate init(_ asked: SignInStartRequest, by ways: Set<SignInWay>, on screen: RememberedScreen?) {
        self.asked = asked
        self.ways = ways
        self.screen = screen
    }

    /// The person who is asked besides whoever finds the code; `nil` when none is to be asked.
    var personToAsk: Subject? { ways.contains(.push) ? screen?.subject : nil }
}

/// A request that was made and is not stored yet; made by ``SignInStartService`` alone.
struct NewRequest: Sendable {
    var stored: SignInExchangeRecord
    /// Whether the person is not asked, because they muted the client.
    let isMuted: Bool

    fileprivate init(_ stored: SignInExchangeRecord, isMuted: Bool) {
        self.stored = stored
        self.isMuted = isMuted
    }
}
