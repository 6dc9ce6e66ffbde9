public import FoundationEssentialsCompat

/// Decides what evidence is enough for.
///
/// The server asks it when a request starts, when it is decided and when its grant is redeemed, so that a client or
/// person that was locked in between gets nothing.
///
/// ```swift
/// let policy = Policy(minimumEvidence: [ScopeWord("door"): ScopeDemands([.nearby])])
/// try policy.authorize(.decision, client: .active, subject: .active, evidence: evidence, scope: scope)
/// ```
public struct Policy: Sendable {
    /// The step at which the policy is evaluated.
    public enum Phase: Sendable, Hashable, CaseIterable {
        case start, decision, redemption
    }

    /// Whether a client or person may do anything at the server.
    public enum Standing: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is known and not locked.
        case active
        /// Locked by an administrator, until unlocked.
        case locked
        /// The person had the account marked for removal, and may still keep it.
        case leaving
        /// Not known, or removed.
        case absent
    }

    /// The reason that a step is refused.
    public enum ViolationError: Error, Sendable, Hashable {
        /// The client is not active.
        case client(Standing)
        /// The person is not active.
        case subject(Standing)
        /// The person did not prove who they are.
        case notAuthenticated
        /// The person did not show that they know the code, is not known to be in front of the screen, and did not sign
        /// the client in before, and was not named by a client that may ask over the back channel.
        case codeNotNamed
        /// The scope is granted only to a person in front of the screen.
        case notNearby
        /// The scope is granted only to a person who signed in with the password or a passkey of their account on this
        /// server.
        case notByPassword
        /// The scope is granted only to a person who signed in with two factors.
        case noSecondFactor
        /// The scope is granted only to a person who signed in with a password or a passkey more recently.
        case notRecent
        /// The scope is granted only to a person who confirms the request with a passkey or an enrolled device that
        /// verifies them.
        case notUserVerified
        /// The request is granted only to a person who matched the number of the asking side, or is in front of it.
        case noNumber
        /// The request is granted only to an answer that the person's device signed.
        case notSignedByDevice
        /// No way of the request can meet its demands.
        case noWay
        /// The client asked for a class of authentication, and the person did not authenticate so.
        case classNotReached
        /// The scope is granted only to the people of a group, which the person is not in.
        case notInGroup
    }

    /// The least evidence for each scope value that needs more than a signed-in person who knows the screen.
    public let minimumEvidence: [ScopeWord: ScopeDemands]
    /// The apps whose enrolled devices are trusted to assert user verification.
    public let userVerifyingApps: Set<ClientID>
    /// The group that a person has to be in, for each scope value that is not for everybody.
    public let requiredGroups: [ScopeWord: GroupName]
    /// The longest time that a ``GuestService`` may ask for, in seconds; 30 days by default. With 0 there are none.
    public var longestService: TimeInterval = 2_592_000

    /// Creates a policy.
    public init(
        minimumEvidence: [ScopeWord: ScopeDemands] = [:],
        userVerifyingApps: Set<ClientID> = [],
        requiredGroups: [ScopeWord: GroupName] = [:]
    ) {
        self.minimumEvidence = minimumEvidence
        self.userVerifyingApps = userVerifyingApps
        self.requiredGroups = requiredGroups
    }

    /// The part of a scope that a person may have.
    ///
    /// - Parameters:
    ///   - scope: The scope that the client asks for or was granted.
    ///   - groups: The groups that the person is in now; it is asked only if the scope has a word that needs one.
    /// - Returns: The scope without the words whose group is not among them.
    /// - Throws: what `groups` throws.
    public func allowed(_ scope: Scope, toMembersOf groups: () throws -> Set<GroupName>) rethrows -> Scope {
        guard scope.words.contains(where: { requiredGroups[$0] != nil }) else { return scope }
        let groups = try groups()
        return Scope(scope.words.filter { word in requiredGroups[word].map(groups.contains) ?? true })
    }

    /// The demands of an approval of `scope`: those of all its values together.
    ///
    /// - Parameter scope: The words that the request asks for.
    public func demands(of scope: Scope) -> ScopeDemands {
        scope.words.compactMap { minimumEvidence[$0] }.reduce(.none) { $0.adding($1) }
    }

    /// Lets a step pass, or throws the reason why it must not.
    ///
    /// Only the standing counts at the start and at redemption. A decision also needs a person who authenticated
    /// (``Evidence/authenticated``), who is connected with the requesting screen (``Evidence/knowsTheScreen``), and
    /// evidence that meets the demands: ``ScopeDemands/violation(by:at:)``.
    ///
    /// - Parameters:
    ///   - phase: The step that is about to happen.
    ///   - client: The standing of the client that asked.
    ///   - subject: The standing of the person; `nil` when no person takes part, as at the start and for a client's own
    ///     tokens.
    ///   - evidence: The proofs so far; read only for a decision.
    ///   - scope: The scope to decide about; empty by default.
    ///   - demands: The demands stored when the request was made; `nil`, the default, for the present demands of
    ///     `scope`.
    ///   - now: The time of a decision; `nil`, the default, for the other steps. Without it no sign-in is recent.
    /// - Throws: ``ViolationError``, with the first reason found, in the order client, person, evidence.
    public func authorize(
        _ phase: Phase,
        client: Standing,
        subject: Standing?,
        evidence: Evidence,
        scope: Scope = .none,
        demands: ScopeDemands? = nil,
        at now: Date? = nil
    ) throws(ViolationError) {
        guard client == .active else { throw .client(client) }
        if let subject, subject != .active { throw .subject(subject) }
        guard phase == .decision else { return }
        guard subject != nil, evidence.authenticated != nil else { throw .notAuthenticated }
        guard evidence.knowsTheScreen else { throw .codeNotNamed }
        let demands = demands ?? self.demands(of: scope)
        if let violation = demands.violation(by: evidence, at: now) { throw violation }
    }
}
