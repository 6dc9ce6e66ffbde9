internal import Countersign
internal import CountersignWire

/// The answers that people of a home gave, and the state that follows for their server: what is checked against.
struct HomeLedger {
    /// An approval that a person sent.
    struct Approval: Hashable {
        let person: HomePerson
        /// Whether they proved that they mean the screen: by its code, its number, its link to a phone, or its network.
        let isKnowing: Bool
        /// The classes of authentication that the answer reaches.
        let classes: Set<AuthenticationClass>
    }

    /// A decision, as the server has it.
    enum Decision: Equatable {
        case open
        case approved(Grant.ID)
        case denied
        case redeemed(Grant.ID)
        case cancelled
    }

    /// The approvals that were sent, whether or not they arrived.
    var approvals: [SignInRequest.ID: Set<Approval>] = [:]
    /// The requests that somebody answered or withdrew, in whatever way.
    var answered: Set<SignInRequest.ID> = []
    /// The requests that their requesters gave up, whether or not that arrived.
    var givenUp: Set<SignInRequest.ID> = []
    /// The class of authentication that each request demands.
    var demanded: [SignInRequest.ID: AuthenticationClass] = [:]
    /// The codes of people that started a request, and are used up.
    var usedCodes: [PersonCode] = []
    /// The people who approved the shop on the page for consent.
    var consents: Set<HomePerson> = []
    /// The people who took an approval back.
    var undone: Set<HomePerson> = []
    /// The people who made a ticket.
    var tickets: Set<HomePerson> = []
    /// The people who are locked.
    var locked: Set<HomePerson> = []
    /// The people whose sign-ins an operator has ended at some time.
    var ended: Set<HomePerson> = []
    /// The decisions that the server had.
    var decisions: [SignInRequest.ID: Decision] = [:]
    /// The refresh token that each redeemed credential gave.
    var given: [String: String] = [:]

    /// Records the answer of a person to a request.
    mutating func record(
        _ isApproval: Bool,
        of id: SignInRequest.ID,
        by person: HomePerson,
        knowing isKnowing: Bool,
        reaching classes: Set<AuthenticationClass>
    ) {
        answered.insert(id)
        guard isApproval else { return }
        approvals[id, default: []].insert(Approval(person: person, isKnowing: isKnowing, classes: classes))
    }

    /// Whether a person has sent an approval of a request.
    func hasApproval(of id: SignInRequest.ID, by person: HomePerson) -> Bool {
        approvals[id]?.contains { $0.person == person } ?? false
    }

    /// Whether a person reached the class that a request demands; true for a request without one.
    func isDemandMet(of id: SignInRequest.ID, by person: HomePerson) -> Bool {
        guard let wanted = demanded[id] else { return true }
        return approvals[id]?.contains { $0.person == person && $0.classes.contains(wanted) } ?? false
    }

    /// The requests that a person has sent an approval of, in the order of their start.
    func approved(by person: HomePerson) -> [SignInRequest.ID] {
        approvals.keys.filter { hasApproval(of: $0, by: person) }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether a person approved a request and knew whose it is.
    func isKnowing(_ person: HomePerson, of id: SignInRequest.ID) -> Bool {
        approvals[id]?.contains { $0.person == person && $0.isKnowing } ?? false
    }

    /// Whether the state of a request may follow the one that it had.
    static func allows(_ earlier: Decision, _ later: Decision) -> Bool {
        switch (earlier, later) {
        case (.open, .open), (.open, .approved), (.open, .denied): true
        case (.open, .cancelled), (.approved, .cancelled), (.cancelled, .cancelled): true
        case (.approved(let one), .approved(let other)), (.approved(let one), .redeemed(let other)),
            (.redeemed(let one), .redeemed(let other)):
            one == other
        // Taken back, or redeemed over another link.
        case (.approved, .denied), (.denied, .denied): true
        case (.open, .redeemed), (.denied, _), (.redeemed, _), (.cancelled, _), (.approved, .open): false
        }
    }
}

extension HomeLedger.Decision {
    init(_ exchange: SignInExchange) {
        self =
            switch exchange.state {
            case .open, .taken: .open
            case .approved(let grant, by: _, over: _): .approved(grant.id)
            case .denied: .denied
            case .redeemed(let grant, at: _): .redeemed(grant.id)
            case .cancelled: .cancelled
            }
    }
}
