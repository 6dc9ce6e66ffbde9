public import FoundationEssentialsCompat

/// Decides what evidence is enough for.
///
/// The server asks it when a request starts, when it is decided and when its grant is redeemed, so that a client or
/// person that was locked in between gets nothing.
///
/// ```swift
/// let policy = Policy(nearbyScope: Scope([ScopeWord("door")]))
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
        /// Not known, or removed.
        case absent
    }

    /// The reason that a step is refused.
    public enum ViolationError: Error, Sendable, Hashable {
        /// The client is locked or absent.
        case client(Standing)
        /// The person is locked or absent.
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
        /// The client asked for a class of authentication, and the person did not authenticate so.
        case classNotReached
    }

    /// The words that a screen gets only from a person in front of it; knowing the code is not enough.
    public let nearbyScope: Scope
    /// The scope values that require a sign-in with the password or a passkey of the account here; another provider's
    /// assertion is not enough.
    public let passwordScope: Scope
    /// The scope values that require a sign-in with two factors: a password and a one-time password, or a passkey.
    public let secondFactorScope: Scope
    /// The words that only a person gets who confirms the very request with a passkey, or an enrolled device of
    /// ``userVerifyingApps``, that verifies them.
    public let userVerifiedScope: Scope
    /// The apps whose enrolled devices are trusted to assert user verification.
    public let userVerifyingApps: Set<ClientID>
    /// The scope values that require a sign-in with the password or a passkey of the account here within the given
    /// number of seconds.
    public let recentScope: [ScopeWord: Int]
    /// The scope values that can be approved on a page only after a delay, which lets the person read the request.
    public let deliberateScope: Scope

    /// Creates a policy.
    public init(
        nearbyScope: Scope = .none,
        passwordScope: Scope = .none,
        secondFactorScope: Scope = .none,
        userVerifiedScope: Scope = .none,
        userVerifyingApps: Set<ClientID> = [],
        recentScope: [ScopeWord: Int] = [:],
        deliberateScope: Scope = .none
    ) {
        self.nearbyScope = nearbyScope
        self.passwordScope = passwordScope
        self.secondFactorScope = secondFactorScope
        self.userVerifiedScope = userVerifiedScope
        self.userVerifyingApps = userVerifyingApps
        self.recentScope = recentScope
        self.deliberateScope = deliberateScope
    }

    /// Whether a request for `scope` must be confirmed with user verification: on a page, by a passkey.
    ///
    /// - Parameter scope: The words that the request asks for.
    public func wantsUserVerified(_ scope: Scope) -> Bool { scope.words.contains(where: userVerifiedScope.contains) }

    /// The demands of an approval of `scope`.
    ///
    /// - Parameter scope: The words that the request asks for.
    public func demands(of scope: Scope) -> ScopeDemands {
        var demands: Set<ScopeDemands.Demand> = []
        if scope.words.contains(where: nearbyScope.contains) { demands.insert(.nearby) }
        if scope.words.contains(where: passwordScope.contains) { demands.insert(.password) }
        if scope.words.contains(where: secondFactorScope.contains) { demands.insert(.secondFactor) }
        if wantsUserVerified(scope) { demands.insert(.userVerified) }
        if scope.words.contains(where: deliberateScope.contains) { demands.insert(.deliberate) }
        return ScopeDemands(demands, within: scope.words.compactMap { recentScope[$0] }.min())
    }

    /// Lets a step pass, or throws the reason why it must not.
    ///
    /// Only the standing counts at the start and at redemption. A decision also needs a person who authenticated
    /// (``Evidence/authenticated``), who is connected with the requesting screen (``Evidence/knowsTheScreen``), for a
    /// value of ``nearbyScope`` who is in front of it (``Evidence/isNearby``), for a value of ``passwordScope`` or
    /// ``secondFactorScope`` who last signed in so (``Evidence/authentication``), for a value of ``recentScope`` who
    /// did so recently (``ScopeDemands/isRecent(_:at:)``), and for a value of ``userVerifiedScope`` who was verified
    /// when they confirmed the request (``Evidence/isUserVerified``). The person has to reach an authentication class
    /// that the client requested (``Evidence/reaches(_:)``).
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
        guard evidence.isNearby || !demands.contains(.nearby) else { throw .notNearby }
        let how = evidence.authentication?.how
        guard how?.isLocal == true || !demands.contains(.password) else { throw .notByPassword }
        guard how?.hasTwoFactors == true || !demands.contains(.secondFactor) else { throw .noSecondFactor }
        guard demands.isRecent(evidence, at: now) else { throw .notRecent }
        guard evidence.isUserVerified || !demands.contains(.userVerified) else { throw .notUserVerified }
        guard demands.isClassReached(by: evidence) else { throw .classNotReached }
    }
}
