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
    /// Whether it is the sign-in that apps use here; only of somebody whose identity is known.
    var current: Bool?
    /// Whether the person is remembered here.
    var remembered: Bool?
    /// The end that the person chose.
    var ends: Date?
    var scope: String?
    /// `nil` where it is unknown, and for a token that a service has refused.
    var expires: Date?
    private var isToBeRenewed = false
    var renewable: Bool?
    /// Whether requests need a proof of a key in addition to the token.
    var bound: Bool?
    /// Only on request.
    var accessToken: String?
    var refreshToken: String?

    /// Reads what `store` keeps of a token.
    init(_ selected: SelectedToken, in store: some TokenStore, showingTokens: Bool) async throws {
        let key = selected.key
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
        if key.kind == .service, let signedIn = try await store.signedIn(for: key) {
            person = signedIn.identity?.fullName
            subject = signedIn.identity?.subject.rawValue
            take(signedIn, showingTokens: showingTokens)
        }
        guard key.kind == .signIn else { return }
        // Read again: a renewal has changed it.
        let who = try await store.people(for: key, at: TimeSource.system.now()).first { known in
            selected.person.map { $0.identity.subject == known.identity.subject } ?? known.isCurrent
        }
        person = who?.identity.fullName
        subject = who?.identity.subject.rawValue
        self.current = who?.isCurrent
        remembered = who.map { $0.rememberedPerson != nil }
        let current = try await store.signedIn(for: key)
        let unlisted = selected.person == nil && who == nil ? current : nil
        guard let signedIn = who?.signedIn ?? unlisted else { return }
        take(signedIn, showingTokens: showingTokens)
    }

    /// Takes in the tokens of a sign-in.
    private mutating func take(_ signedIn: CompletedSignIn, showingTokens: Bool) {
        ends = signedIn.ends
        scope = signedIn.scope.description
        isToBeRenewed = signedIn.isToBeRenewed
        expires = isToBeRenewed ? nil : signedIn.expires
        renewable = signedIn.refreshToken != nil
        bound = signedIn.key == nil ? nil : true
        guard showingTokens else { return }
        accessToken = signedIn.accessToken.revealed
        refreshToken = signedIn.refreshToken?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case kind, names, type, person, service, subject, current, remembered, ends, scope, expires, renewable, bound
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    static var columns: Columns<TokenOutput> {
        [
            "kind": \.kind, "at": { $0.isForSomebody ? $0.names.first : "-" },
            "for": { $0.names.dropFirst($0.isForSomebody ? 1 : 0).joined(separator: " ") },
            "person": { $0.isForSomebody ? $0.person ?? "-" : "-" },
            "here": { $0.here ?? "-" }, "until": { $0.isForSomebody ? $0.until : "-" },
            "ends": { $0.ends?.formatted(.iso8601) ?? "-" },
        ]
    }

    private var isForSomebody: Bool { TokenStoreKey.Kind(kind).isForSomebody }

    /// The state of a person here; `nil` for a token of nobody in particular.
    private var here: String? {
        guard let current, let remembered else { return nil }
        guard !isSignedOut else { return "remembered" }
        return (current ? "current" : "signed in") + (remembered ? ", remembered" : "")
    }

    /// Whether it is a person who is remembered here, and has no tokens.
    private var isSignedOut: Bool { current != nil && scope == nil }

    /// Everything, line by line.
    var text: String {
        let what = names.count > 1 ? " for \(names.dropFirst().joined(separator: " "))" : ""
        var lines = ["\(kind) at \(names.first ?? "?")\(what)"]
        if let service { lines.append("Service: \(service)") }
        if let person { lines.append("Person: \(person)") }
        if let here { lines.append("Here: \(here)") }
        if let ends { lines.append("Ends by itself: \(ends.formatted(.iso8601))") }
        if let scope, !scope.isEmpty { lines.append("Scope: \(scope)") }
        lines.append("Works until: \(until)")
        if let renewable { lines.append("Can be renewed: \(renewable ? "yes" : "no")") }
        if bound == true { lines.append("Bound to a key: yes") }
        if let accessToken { lines.append("Access token: \(accessToken)") }
        if let refreshToken { lines.append("Refresh token: \(refreshToken)") }
        return lines.joined(separator: "\n")
    }

    private var until: String {
        expires?.formatted(.iso8601) ?? (isToBeRenewed ? "to be renewed" : isSignedOut ? "signed out" : "unknown")
    }
}
