public import FoundationEssentialsCompat

/// The demands of an approval beyond a signed-in person who knows the screen: those of the scope, and of the
/// authentication classes that the client requested.
///
/// ``Policy/demands(of:)`` and ``reaching(_:)`` determine them when a request is made, and they are stored with the
/// request, so that a later change of the settings cannot weaken them.
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

    /// These demands, and the demand that one of the client's classes is reached.
    ///
    /// It never lowers what is demanded already: classes add nothing if that implies one of them, and a class that
    /// contradicts it is passed over.
    ///
    /// - Parameter asked: The classes that the client asks for, the best first; with none, these demands are returned.
    public func reaching(_ asked: [AuthenticationClass]) -> ScopeDemands {
        let possible = asked.filter { $0 != .federated || !wantsLocal }
        return possible.contains(where: implies)
            ? self : ScopeDemands(Set(all), within: recent, reaching: possible)
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

    /// The evidence with the class for tokens, if its own is not a requested one.
    package func naming(_ evidence: Evidence) -> Evidence {
        guard let wanted = classes.first(where: evidence.reaches), let own = evidence.authenticationClass,
            !classes.contains(own)
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
        case .passkey, .federated, .possession: false
        }
    }
}
