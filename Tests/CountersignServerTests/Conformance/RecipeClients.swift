import Foundation
import Testing

// Clients that read claims as the apps of the recipes in Documentation/Groups.md do, written after their documentation.

/// The claims of an ID token, and of the answer of `/userinfo`, as an app gets them.
struct ReceivedClaims {
    let idToken: [String: Any]
    let userInfo: [String: Any]

    /// The claims of both; those of `/userinfo` count.
    var merged: [String: Any] { idToken.merging(userInfo) { $1 } }
}

/// Grafana's generic OAuth: paths are looked up in the ID token, then at `/userinfo`.
struct GrafanaClient {
    var login = "preferred_username"
    var groups = "groups"
    var role = "contains(groups[*], 'admins') && 'Admin' || contains(groups[*], 'staff') && 'Editor' || 'Viewer'"

    func person(_ claims: ReceivedClaims) -> (login: String?, groups: [String], role: String?) {
        let sources = [claims.idToken, claims.userInfo]
        return (
            sources.lazy.compactMap { $0[login] as? String }.first,
            sources.lazy.compactMap { $0[groups] as? [String] }.first ?? [],
            sources.lazy.compactMap { Self.value(of: role, in: $0) }.first
        )
    }

    /// The value of an expression of JMESPath that has only the forms of the recipes: a name, a text, `contains` of a
    /// list, `&&` and `||`.
    static func value(of expression: String, in claims: [String: Any]) -> String? {
        for choice in expression.components(separatedBy: " || ") {
            let terms = choice.components(separatedBy: " && ").map { $0.trimmingCharacters(in: .whitespaces) }
            let values = terms.map { term -> String? in
                if let found = term.wholeMatch(of: /contains\((\w+)\[\*\], '([^']*)'\)/) {
                    let list = claims[String(found.1)] as? [String] ?? []
                    return list.contains(String(found.2)) ? "true" : nil
                }
                if let text = term.wholeMatch(of: /'([^']*)'/) { return String(text.1) }
                return claims[term] as? String
            }
            if values.allSatisfy({ $0 != nil }), let last = values.last { return last }
        }
        return nil
    }
}

/// oauth2-proxy with its provider `oidc`.
struct ProxyClient {
    /// The reason that it lets nobody through.
    enum Refusal: Error, Equatable {
        case noEmail, unverifiedEmail, notInGroup
    }

    var groupsClaim = "groups"
    var allowedGroups: Set<String> = []

    /// The headers for what is behind it.
    func headers(_ claims: ReceivedClaims) throws(Refusal) -> [String: String] {
        guard let email = claims.merged["email"] as? String else { throw .noEmail }
        if let isVerified = claims.merged["email_verified"] as? Bool, !isVerified { throw .unverifiedEmail }
        let groups = claims.merged[groupsClaim] as? [String] ?? []
        guard allowedGroups.isEmpty || !allowedGroups.isDisjoint(with: groups) else { throw .notInGroup }
        return [
            "X-Forwarded-Email": email, "X-Forwarded-Groups": groups.joined(separator: ","),
            "X-Forwarded-Preferred-Username": claims.merged["preferred_username"] as? String ?? "",
        ]
    }
}

/// Nextcloud's `user_oidc`: attributes by their mappings.
struct NextcloudClient {
    func account(_ claims: ReceivedClaims) throws -> (id: String, name: String?, quota: String?, groups: [String]) {
        let claims = claims.merged
        return (
            try #require(claims["preferred_username"] as? String), claims["name"] as? String,
            claims["quota"] as? String, claims["groups"] as? [String] ?? []
        )
    }
}

/// Proxmox VE's realm of type `openid`.
struct ProxmoxClient {
    let realm = "countersign"
    var usernameClaim = "username"
    let groupsClaim = "groups"

    func account(_ claims: ReceivedClaims) throws -> (userID: String, groups: [String]) {
        let claims = claims.merged
        let name =
            switch usernameClaim {
            case "subject": "sub"
            case "username": "preferred_username"
            default: usernameClaim
            }
        let user = try #require(claims[name] as? String)
        try #require(!user.isEmpty && !user.contains { $0.isWhitespace || ":/".contains($0) })
        let groups = try #require(claims[groupsClaim] as? [String])
        return (
            "\(user)@\(realm)", groups.filter { $0.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil }.map { "\($0)-\(realm)" }
        )
    }
}
