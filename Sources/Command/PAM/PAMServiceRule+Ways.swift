internal import Countersign
internal import CountersignRequester

/// The error of a rule by which nobody can be let in, whatever they do.
struct ClosedRuleError: Error, Sendable, Equatable {
    let reason: String
    let advice: String
}

extension PAMServiceRule {
    /// The reason that a way lets nobody in.
    private enum Obstacle: Sendable, Hashable, CaseIterable {
        /// Only a client with a secret may ask people on their devices.
        case noSecret
        /// The host has no name of one person to ask by.
        case noName
        /// The way proves none of the evidence that the rule demands.
        case noEvidence
    }

    /// The ways that a host can have, the best first.
    private static let hostWays: [SignInWay] = [.push, .code, .nearby]

    /// The ways by which a person can be let in: those of the rule that the client can take and that prove its evidence.
    ///
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - client: The host as the server's client.
    ///   - isAskedByName: Whether the server can be asked for the person by their name.
    /// - Throws: ``ClosedRuleError`` when there is none.
    func ways(
        for service: String, as client: ClientIdentity, byName isAskedByName: Bool
    ) throws(ClosedRuleError) -> Set<SignInWay> {
        let proving = provingWays
        let obstacles = Self.hostWays.reduce(into: [SignInWay: Obstacle]()) { obstacles, way in
            if way == .push, client.secret == nil {
                obstacles[way] = .noSecret
            } else if way == .push, !isAskedByName {
                obstacles[way] = .noName
            } else if !proving.contains(way) {
                obstacles[way] = .noEvidence
            }
        }
        let possible = ways.filter { obstacles[$0] == nil }
        guard possible.isEmpty else { return possible }
        let reasons = Obstacle.allCases.compactMap { obstacle in
            let closed = Self.hostWays.filter { ways.contains($0) && obstacles[$0] == obstacle }
            return closed.isEmpty ? nil : reason(obstacle, of: closed)
        }
        let open = Self.hostWays.filter { obstacles[$0] == nil }.map(\.rawValue).joined(separator: " or ")
        throw ClosedRuleError(
            reason: "The rule of \(service.shown) lets nobody in: \(reasons.joined(separator: ", and ")).",
            advice: "Add \(open) to its ways\(evidence.isEmpty ? "" : ", or demand other evidence").")
    }

    /// The ways that prove one of the kinds of evidence; all where none is demanded.
    private var provingWays: Set<SignInWay> {
        guard !evidence.isEmpty else { return Set(Self.hostWays) }
        let demands = Self.names(of: evidence).compactMap(ScopeDemands.Demand.init(rawValue:))
        return demands.reduce(into: []) { $0.formUnion(ScopeDemands([$1]).ways) }
    }

    /// The words of the configuration for evidence.
    static func names(of evidence: [AuthenticationClass]) -> [String] {
        evidence.compactMap { wanted in evidenceWords.first { $0.value == wanted }?.key }
    }

    private func reason(_ obstacle: Obstacle, of ways: [SignInWay]) -> String {
        switch obstacle {
        case .noSecret: "push needs a client with a secret"
        case .noName: "push asks one person by name, and people names none or several"
        case .noEvidence:
            "\(ways.map(\.rawValue).joined(separator: " and ")) "
                + "\(ways.count == 1 ? "does" : "do") not prove \(Self.names(of: evidence).joined(separator: " or "))"
        }
    }
}

extension PAMConfiguration {
    /// The ways by which a person can be let in at a service, for the user of this process.
    ///
    /// - Throws: a ``CommandError`` when there is none, and for a session that would end with the sign-out where the
    ///   application asks as a user: its tokens belong to root.
    func ways(
        for service: String, by rule: PAMServiceRule, expecting expected: PeopleMapping.Expectation
    ) throws(CommandError) -> Set<SignInWay> {
        guard !rule.endsWithSignOut || !isForUser else {
            throw CommandError(
                "The rule of \(service.shown) has ends-with-signout, for which the application has to run as root: take it out "
                    + "of the rule.")
        }
        do throws(ClosedRuleError) {
            return try rule.ways(for: service, as: client, byName: expected.loginHint != nil)
        } catch {
            throw CommandError("\(error.reason) \(error.advice)")
        }
    }
}
