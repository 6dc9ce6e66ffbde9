internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// The item under one key, as the command shows it.
struct TokenOutput: Encodable {
    let kind: String
    /// The server or provider, and the client or domain.
    let names: [String]
    /// Its subject: a person or the device itself.
    var type: String?
    var person: String?
    var service: String?
    var subject: String?
    var scope: String?
    var expires: Date?
    var renewable: Bool?
    /// Whether requests need a proof of a key in addition to the token.
    var bound: Bool?
    /// Only on request.
    var accessToken: String?
    var refreshToken: String?

    /// Reads what `store` keeps under `key`.
    init(_ key: TokenStoreKey, in store: some TokenStore, showingTokens: Bool) async throws {
        kind = key.kind.rawValue
        names = key.names
        if key.kind == .crossPlatformToken, let token = try await store.crossPlatformToken(for: key) {
            type = token.type.rawValue
            person = token.userName
            service = token.domainDisplayName
            expires = token.expires
            renewable = true
            if showingTokens { accessToken = token.accessToken.revealed }
        }
        guard key.kind == .signIn else { return }
        guard let signedIn = try await store.signedIn(for: key) else { return }
        person = signedIn.identity?.fullName
        subject = signedIn.identity?.subject.rawValue
        scope = signedIn.scope.description
        expires = signedIn.expires
        renewable = signedIn.refreshToken != nil
        bound = signedIn.key == nil ? nil : true
        guard showingTokens else { return }
        accessToken = signedIn.accessToken.revealed
        refreshToken = signedIn.refreshToken?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case kind, names, type, person, service, subject, scope, expires, renewable, bound
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    static var columns: Columns<TokenOutput> {
        [
            "kind": \.kind, "at": { $0.isForSomebody ? $0.names.first : "-" },
            "for": { $0.names.dropFirst($0.isForSomebody ? 1 : 0).joined(separator: " ") },
            "person": { $0.isForSomebody ? $0.person ?? "-" : "-" },
            "until": { $0.isForSomebody ? $0.until : "-" },
        ]
    }

    /// Other items, such as keys, have separate names and belong to no account.
    private var isForSomebody: Bool { [.signIn, .crossPlatformToken].contains(TokenStoreKey.Kind(kind)) }

    /// Everything, line by line.
    var text: String {
        let what = names.count > 1 ? " for \(names.dropFirst().joined(separator: " "))" : ""
        var lines = ["\(kind) at \(names.first ?? "?")\(what)"]
        if let service { lines.append("Service: \(service)") }
        if let person { lines.append("Person: \(person)") }
        if let scope, !scope.isEmpty { lines.append("Scope: \(scope)") }
        lines.append("Works until: \(until)")
        if let renewable { lines.append("Can be renewed: \(renewable ? "yes" : "no")") }
        if bound == true { lines.append("Bound to a key: yes") }
        if let accessToken { lines.append("Access token: \(accessToken)") }
        if let refreshToken { lines.append("Refresh token: \(refreshToken)") }
        return lines.joined(separator: "\n")
    }

    private var until: String { expires?.formatted(.iso8601) ?? "unknown" }
}
