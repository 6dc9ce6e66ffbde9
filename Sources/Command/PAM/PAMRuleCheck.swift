internal import CountersignRequester

/// Checks whether the rules of a host let anybody in.
struct PAMRuleCheck: Sendable {
    /// The applications as which the rules are checked.
    enum Asker: Sendable, Hashable {
        /// Those of the host, which read its secret.
        case host
        /// Those that ask as the user of this process; the services of root have the same rules, and are not theirs.
        case thisUser
        /// Those that may ask as one of the host's users, such as screen lockers.
        case users
    }

    /// The services that ask as root alone, whatever clients a host has.
    private static let servicesOfRoot: Set = ["sshd", "sudo", "sudo-i", "su", "su-l", "login"]

    let services: [String: PAMServiceRule]
    let client: ClientIdentity
    let people: PeopleMapping
    var asker = Asker.host

    var findings: [Finding] {
        services.sorted { $0.key < $1.key }.flatMap { name, rule -> [Finding] in
            // Said of the program once.
            if let program = PAMServiceRule.loginShells[name], services[program] == rule { return [] }
            if asker == .users, Self.servicesOfRoot.contains(name) { return [] }
            return people.isAskedByName.compactMap { isAskedByName in
                do throws(ClosedRuleError) {
                    _ = try rule.ways(for: name, as: client, byName: isAskedByName)
                    return nil
                } catch {
                    return finding(about: error)
                }
            }
        }
    }

    private func finding(about error: ClosedRuleError) -> Finding {
        switch asker {
        case .host: .problem("rule", error.reason, error.advice)
        case .thisUser: .notice("rule", "As your user: \(error.reason)", error.advice)
        case .users: .notice("rule", "For an application of public-client: \(error.reason)", error.advice)
        }
    }
}

extension PAMRuleCheck {
    /// Checks the rules of a configuration for the user of this process, and as root for the public client, too.
    static func findings(of configuration: PAMConfiguration) -> [Finding] {
        var checks = [
            PAMRuleCheck(
                services: configuration.services, client: configuration.client, people: configuration.people,
                asker: configuration.isForUser ? .thisUser : .host)
        ]
        if let client = configuration.publicClient, !configuration.isForUser {
            checks.append(
                PAMRuleCheck(
                    services: configuration.services, client: ClientIdentity(client), people: configuration.people,
                    asker: .users))
        }
        return checks.flatMap(\.findings)
    }
}
