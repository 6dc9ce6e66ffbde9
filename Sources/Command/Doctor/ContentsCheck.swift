internal import Countersign
internal import CountersignServer
internal import Foundation

/// Checks the contents of a database of either kind.
struct ContentsCheck {
    let clients: [Client]
    let keys: [ServerKey]
    let groups: [Group]
    /// The group that each scope value needs, by the settings.
    let requiredGroups: [ScopeWord: GroupName]
    let now: Date

    var findings: [Finding] { [serverKeys] + clients.flatMap(wide) + clients.compactMap(weak) + unmetGroups }

    /// Findings about scope values that nobody may have, or that no client asks for.
    private var unmetGroups: [Finding] {
        let known = Set(groups.map(\.name))
        return requiredGroups.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { word, group in
            var findings: [Finding] = []
            if !known.contains(group) {
                let advice = "Until then nobody gets it: countersign admin group add \(group)"
                findings.append(.notice("groups", "There is no group \(group), which the scope \(word) needs.", advice))
            }
            if !clients.contains(where: { $0.scope.contains(word) }) {
                let finding = "No client is registered for the scope \(word), which needs the group \(group)."
                findings.append(.notice("groups", finding, "Look whether the word is misspelt in required-groups."))
            }
            return findings
        }
    }

    private var serverKeys: Finding {
        guard !keys.isEmpty else { return .notice("keys", "There are none yet.", "The first start makes them.") }
        let purposes = Set(keys.filter { $0.retired == nil && $0.activates <= now }.map(\.purpose))
        let missing: [ServerKey.Purpose] = [.signES256, .userCodes, .forms, .secondFactors].filter {
            !purposes.contains($0)
        }
        guard missing.isEmpty else {
            let names = missing.map { "\($0)" }.joined(separator: ", ")
            return .problem("keys", "Some are missing: \(names).", "A start of the server makes them.")
        }
        return .fine("keys", "all there")
    }

    /// The finding about a client that may ask without PKCE.
    private func weak(_ client: Client) -> Finding? {
        guard client.redirects.pkce == .optional else { return nil }
        return .notice(
            "client \(client.id)",
            "Its requests may come without PKCE, which is weaker: only the app itself can notice an injected code.",
            "If the app can send code_challenge: countersign admin client change \(client.id) --pkce required"
        )
    }

    /// Findings about lifetimes that few clients need.
    private func wide(_ client: Client) -> [Finding] {
        var findings: [Finding] = []
        func note(_ finding: String) {
            findings.append(
                .notice(
                    "client \(client.id)", finding,
                    "Shorten it, if it can do with less: countersign admin client change"))
        }
        if client.lifetimes.code > 900 {
            note("Its codes live \(Int(client.lifetimes.code)) s; whoever finds one has as long.")
        }
        if client.lifetimes.accessToken > 4 * 3600 {
            note("Its access tokens live \(Int(client.lifetimes.accessToken)) s.")
        }
        if client.lifetimes.refreshToken > 180 * 86_400 {
            note("Its refresh tokens live \(Int(client.lifetimes.refreshToken / 86_400)) days unused.")
        }
        return findings
    }
}
