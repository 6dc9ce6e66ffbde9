internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Every way of starting takes these steps, in this order and in one change: `admitting`, `request`, and `insert` unless
// the request is decided at once.
extension SignInStartService {
    /// The codes under which a new request is found.
    struct NewCodes: Sendable {
        /// The digest of that with which the client polls or redeems.
        let device: SecretDigest
        /// The digest of that which a person types; `nil` when no screen shows one.
        var user: UserCodeDigest?
    }

    /// To whom a new request is addressed.
    enum Addressee: Sendable {
        /// Any person who finds it may take it.
        case anybody
        /// The person who decides it in the same change, and is not asked.
        case decider(Subject)
        /// The person to ask. If they were asked too often, or muted the client, the request is addressed to a
        /// placeholder subject instead, and the requesting party cannot tell the difference.
        case person(Subject, orNobody: Subject, isCounted: Bool)
    }

    /// Asks policy, counts the request, and starts it.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - more: What it counts against beside what every request does; nothing by default.
    ///   - start: Takes the next steps; it does not run when policy does not allow the client to ask.
    /// - Throws: ``LimitReached``; what `start` throws.
    func admitting<Outcome: StartOutcome>(
        _ asked: SignInStartRequest,
        counting more: [RateLimitKey] = [],
        at now: Date,
        in repositories: any Repositories,
        _ start: (AdmittedStart) throws -> Outcome
    ) throws -> Outcome {
        let client = asked.client.id
        do {
            try policy.authorize(
                .start, client: client, subject: nil, evidence: Evidence(), at: now, in: repositories)
        } catch let refusal as Policy.Refusal {
            return .refused(refusal)
        }
        try limits.admitAndCount(Self.rateKeys(client, from: asked.address) + more, in: repositories)
        return try start(AdmittedStart(asked))
    }

    /// The limits for a client that starts a sign-in, in every way.
    static func rateKeys(_ client: ClientID, from address: String?) -> [RateLimitKey] {
        [.address(.startPerAddress, address), .client(.startPerClient, client), .overall(.startOverall)]
    }

    /// Says who is asked, and makes the request with its terms.
    ///
    /// - Parameters:
    ///   - start: The request that was admitted.
    ///   - id: How it is identified.
    ///   - codes: The codes under which it is found.
    ///   - addressee: To whom it is addressed.
    ///   - binding: What the code of the client is bound to; nothing by default.
    ///   - backchannel: What belongs to a request over the back channel; nothing by default.
    func request(
        _ start: AdmittedStart,
        as id: SignInRequest.ID,
        under codes: NewCodes,
        to addressee: Addressee,
        at now: Date,
        in repositories: any Repositories,
        binding: AuthorizationBinding? = nil,
        backchannel: BackchannelTerms? = nil
    ) throws -> NewRequest {
        let asked = start.asked
        let subject: Subject?
        var isKeptAway = false
        switch addressee {
        case .anybody: subject = nil
        case .decider(let decider): subject = decider
        case .person(let person, orNobody: let nobody, isCounted: let isCounted):
            isKeptAway = try !mayAsk(person, for: asked.client.id, counting: isCounted, in: repositories)
            subject = isKeptAway ? nobody : person
        }
        return NewRequest(
            SignInExchangeRecord(
                exchange: SignInExchange(request: asked.request(id: id, addressedTo: subject, at: now)),
                deviceCode: codes.device,
                userCode: codes.user ?? UserCodeDigest(restoring: mint.keyBytes(32)),
                interval: Self.interval,
                nearbyChallenge: asked.nearbyChallenge,
                binding: binding,
                backchannel: backchannel,
                terms: asked.terms(under: policy)
            ),
            isKeptAway: isKeptAway
        )
    }

    /// Stores a request that nobody has decided yet.
    func insert(_ request: NewRequest, in repositories: any Repositories) throws {
        try repositories.exchanges.insert(request.stored)
    }

    /// Returns whether a person is to be asked, and counts that: they must not be flooded with questions, and are asked
    /// nothing by a client that they muted. Requests that are not shown to them do not count, so that such a client does
    /// not prevent others from asking.
    private func mayAsk(
        _ subject: Subject,
        for client: ClientID,
        counting isCounted: Bool,
        in repositories: any Repositories
    ) throws -> Bool {
        guard try repositories.mutes.find(subject, client) == nil else { return false }
        let questions: [RateLimitKey] =
            isCounted
            ? [.source(.backchannelPerSource, client, subject), .subject(.backchannelPerAccount, subject)] : []
        let full = try limits.reached(among: questions, in: repositories)
        guard full.isEmpty else {
            for rateKey in full { limits.refused(rateKey.limit) }
            return false
        }
        try limits.count(questions, in: repositories)
        return true
    }
}

/// The outcome of one way of starting a request.
protocol StartOutcome: Sendable {
    /// Policy does not allow the client to ask.
    static func refused(_ refusal: Policy.Refusal) -> Self
}

/// A request that policy and the limits let through; made by ``SignInStartService/admitting(_:counting:in:_:)`` alone.
struct AdmittedStart: Sendable {
    let asked: SignInStartRequest

    fileprivate init(_ asked: SignInStartRequest) {
        self.asked = asked
    }
}

/// A request that was made and is not stored yet; made by ``SignInStartService`` alone.
struct NewRequest: Sendable {
    var stored: SignInExchangeRecord
    /// Whether the person is not asked, because they were asked too often or muted the client.
    let isKeptAway: Bool

    fileprivate init(_ stored: SignInExchangeRecord, isKeptAway: Bool) {
        self.stored = stored
        self.isKeptAway = isKeptAway
    }
}
