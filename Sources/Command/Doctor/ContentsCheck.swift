internal import Countersign
internal import CountersignServer
internal import Foundation

/// Checks the contents of a database of either kind.
struct ContentsCheck {
    let clients: [Client]
    let keys: [ServerKey]
    let now: Date

    var findings: [Finding] { [serverKeys] + clients.flatMap(wide) + clients.compactMap(weak) }

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
