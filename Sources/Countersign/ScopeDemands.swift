public import FoundationEssentialsCompat

/// The least evidence that an approval needs beyond a signed-in person who knows the screen: declared for scope values
/// and for clients, and by the authentication classes that the client requested.
///
/// ``Policy/demands(of:)``, ``adding(_:)`` and ``reaching(_:)`` determine them when a request is made, and they are
/// stored with the request, so that a later change of the settings cannot weaken them.
public struct ScopeDemands: Sendable, Hashable, Codable {
    /// One thing that is demanded.
    public enum Demand: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person is in front of the screen.
        case nearby
        /// The person signed in with the password or a passkey of their account here.
        case password
        /// The person signed in here with two factors.
        case secondFactor = "second_factor"
        /// The person confirms the request with a passkey or an enrolled device that verifies them.
        case userVerified = "user_verified"
        /// The person matched the number that the asking side shows, or is in front of it: proofs that a forwarded link
        /// cannot give.
        case number
        /// The answer is signed by the key of the person's device.
        case deviceKey = "device_key"
        /// A person who answers from a page of the server approves only after a delay. Other ways in have their own
        /// screens.
        case deliberate
    }

    /// The demands, in the order of ``Demand``.
    public let all: [Demand]
    /// The maximum age of the person's sign-in with the password or a passkey of their account here, in seconds; `nil`
    /// for any age.
    public let recent: Int?
    /// The classes of authentication that the client asked for, the best first; one of them has to be reached. None
    /// when that adds nothing.
    ///
    /// Standard: RFC 9470 §3, §5.
    public let classes: [AuthenticationClass]
    /// The instant after which the person has to have authenticated, in whichever way: that of the request, less the
    /// maximum age that its client named; `nil` for any.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`max_age`).
    package var authenticatedAfter: Date?

    /// Nothing.
    public static let none = ScopeDemands([])

    /// Creates demands.
    ///
    /// - Parameters:
    ///   - demands: The demands, each once, in any order.
    ///   - recent: The maximum age of the person's sign-in here, in seconds; `nil`, the default, for any age.
    ///   - classes: The classes of authentication, one of them to be reached; none by default.
    public init(_ demands: Set<Demand>, within recent: Int? = nil, reaching classes: [AuthenticationClass] = []) {
        all = Demand.allCases.filter(demands.contains)
        self.recent = recent
        self.classes = classes
    }

    /// Whether `demand` is among them.
    ///
    /// - Parameter demand: One thing that may be demanded.
    public func contains(_ demand: Demand) -> Bool { all.contains(demand) }

    /// These demands and those of `more`: all of both, within the shorter time.
    ///
    /// - Parameter more: Demands of scope values or of a client; their classes count only if these demands have none.
    public func adding(_ more: ScopeDemands) -> ScopeDemands {
        var both = ScopeDemands(
            Set(all).union(more.all),
            within: [recent, more.recent].compactMap(\.self).min(),
            reaching: classes.isEmpty ? more.classes : classes
        )
        both.authenticatedAfter = [authenticatedAfter, more.authenticatedAfter].compactMap(\.self).max()
        return both
    }

    /// These demands, and the demand that one of the client's classes is reached.
    ///
    /// It never lowers what is demanded already: classes add nothing if that implies one of them, and a class that
    /// contradicts it is passed over.
    ///
    /// - Parameter asked: The classes that the client asks for, the best first; with none, these demands are returned.
    public func reaching(_ asked: [AuthenticationClass]) -> ScopeDemands {
        let possible = asked.filter { $0 != .federated || !wantsLocal }
        guard !possible.contains(where: implies) else { return self }
        var reaching = ScopeDemands(Set(all), within: recent, reaching: possible)
        reaching.authenticatedAfter = authenticatedAfter
        return reaching
    }

    /// Whether the person signed in recently enough, with the password or a passkey of their account on this server.
    ///
    /// - Parameters:
    ///   - evidence: The proofs so far.
    ///   - now: The time of the person's decision; `nil` if that is not known, and then nothing is recent.
    public func isRecent(_ evidence: Evidence, at now: Date?) -> Bool {
        guard let recent else { return true }
        guard let now, let (how, instant) = evidence.authentication, how.isLocal else { return false }
        return now.timeIntervalSince(instant) <= TimeInterval(recent)
    }

    /// Whether the person authenticated in time, in the place of the decision itself: a session that another device
    /// opened is none.
    private func isAuthenticatedInTime(_ evidence: Evidence) -> Bool {
        guard let authenticatedAfter else { return true }
        guard let (how, instant) = evidence.authentication, how != .crossDevice else { return false }
        return instant > authenticatedAfter
    }

    /// The first demand that the evidence does not meet, as the reason of a refusal; `nil` when it meets all.
    ///
    /// - Parameters:
    ///   - evidence: The proofs so far.
    ///   - now: The time of the person's decision; `nil` if that is not known, and then nothing is recent.
    public func violation(by evidence: Evidence, at now: Date?) -> Policy.ViolationError? {
        let how = evidence.authentication?.how
        guard evidence.isNearby || !contains(.nearby) else { return .notNearby }
        guard how?.isLocal == true || !contains(.password) else { return .notByPassword }
        guard how?.hasTwoFactors == true || !contains(.secondFactor) else { return .noSecondFactor }
        guard isRecent(evidence, at: now), isAuthenticatedInTime(evidence) else { return .notRecent }
        guard evidence.isUserVerified || !contains(.userVerified) else { return .notUserVerified }
        guard evidence.isSignedByDevice || !contains(.deviceKey) else { return .notSignedByDevice }
        guard evidence.matchesNumber || !contains(.number) else { return .noNumber }
        return isClassReached(by: evidence) ? nil : classViolation
    }

    /// The reason of a refusal when none of the classes is reached: that of the first one, unless another sign-in
    /// reaches one of them.
    private var classViolation: Policy.ViolationError {
        guard let first = classes.first, !classes.contains(where: \.isOfSignIn) else { return .classNotReached }
        return switch first {
        case .nearby: .notNearby
        case .number: .noNumber
        case .deviceKey: .notSignedByDevice
        case .password, .secondFactor, .passkey, .userVerified, .federated, .possession, .crossDevice: .classNotReached
        }
    }

    /// The reason why no approval from the same place meets the demands, however its person signs in: it needs a person in
    /// front of the screen, the number of the screen, or the signature of a device; `nil` when nothing of it is missing.
    ///
    /// - Parameter evidence: The proofs so far, and those that the approval adds.
    package func obstacle(to evidence: Evidence) -> Policy.ViolationError? {
        let ofPlace = ScopeDemands(Set(all).intersection([.nearby, .number, .deviceKey]), reaching: classes)
        return switch ofPlace.violation(by: evidence, at: nil) {
        case .some(let reason) where [.notNearby, .noNumber, .notSignedByDevice].contains(reason): reason
        default: nil
        }
    }

    /// The reason why the person has to sign in in another way first, with their password, a passkey or two factors; `nil`
    /// when nothing of it is missing.
    ///
    /// - Parameter evidence: The proofs so far.
    package func obstacleOfSignIn(to evidence: Evidence) -> Policy.ViolationError? {
        ScopeDemands(Set(all).intersection([.password, .secondFactor])).violation(by: evidence, at: nil)
    }

    /// Whether the evidence reaches one of the classes that the client asked for, if it asked for any.
    ///
    /// - Parameter evidence: The proofs so far.
    public func isClassReached(by evidence: Evidence) -> Bool {
        classes.isEmpty || classes.contains(where: evidence.reaches)
    }

    /// The evidence with the assertion of an enrolled device that it verified the person at `instant`.
    ///
    /// The assertion is omitted if the client requested a class that the earlier sign-in reaches, and the device does
    /// not: a device that was enrolled with a passkey proves no less because it verifies its person.
    package func adding(verificationAt instant: Date, to evidence: Evidence) -> Evidence {
        var verified = evidence
        verified.add(.verifiedByDevice(at: instant))
        return isClassReached(by: verified) || !isClassReached(by: evidence) ? verified : evidence
    }

    /// The evidence with the class for tokens, if its own is not a requested one, or the best requested one tells of
    /// the answer and not of the sign-in.
    package func naming(_ evidence: Evidence) -> Evidence {
        guard let wanted = classes.first(where: evidence.reaches), let own = evidence.authenticationClass,
            !classes.contains(own) || !wanted.isOfSignIn
        else { return evidence }
        var named = evidence
        named.add(.reached(wanted))
        return named
    }

    /// Whether only a sign-in at this server is enough.
    private var wantsLocal: Bool {
        contains(.password) || contains(.secondFactor) || contains(.userVerified) || recent != nil
    }

    private func implies(_ wanted: AuthenticationClass) -> Bool {
        switch wanted {
        case .password: wantsLocal
        case .secondFactor: contains(.secondFactor) || contains(.userVerified)
        case .userVerified: contains(.userVerified)
        // Tokens name the requested class, so it is kept.
        case .passkey, .federated, .number, .deviceKey, .nearby, .possession, .crossDevice: false
        }
    }
}
