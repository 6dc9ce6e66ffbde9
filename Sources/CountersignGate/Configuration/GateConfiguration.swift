package import Countersign
package import CountersignWire
package import FoundationEssentialsCompat

/// The configuration of a gate: its server, the proxies in front of it, and the sites behind these.
package struct GateConfiguration: Sendable, Equatable {
    /// The server that signs people in.
    package let issuer: Issuer
    /// The identifier of the gate at the server.
    package let client: ClientID
    /// The path of the file with the client's secret.
    package let secretFile: String
    /// The certificates to trust, in a file; `nil` for the system's.
    package let certificates: String?
    /// The address to listen on, as host and port.
    package let listen: String
    /// The folder for keys and sessions.
    package let state: String
    /// The networks of the proxies, which alone are answered.
    package let proxies: [AddressNetwork]
    /// The header fields in which the proxies describe a request.
    package let dialect: RequestDialect
    /// The claim that is passed on as `Remote-User`.
    package let user: UserClaim
    /// The scope that the gate asks for.
    package let scope: Scope
    package let times: Times
    /// The most sessions at once; the one that was not used for longest gives way.
    package let mostSessions: Int
    /// The sites, by their authorities.
    package let sites: [String: GateSite]

    /// Times in seconds.
    package struct Times: Sendable, Equatable {
        /// The longest session, and the greatest age of a sign-in that a rule demands: a year.
        static let longest = 31_536_000

        /// The age after which a session is checked at the server before it counts again.
        package var recheck: TimeInterval = 10
        /// The age up to which a session counts while the server cannot be asked.
        package var away: TimeInterval = 60
        /// The longest life of a session.
        package var session: TimeInterval = 2_592_000

        package init() {}
    }

    /// The claim that names a person to a site.
    package enum UserClaim: String, Sendable, CaseIterable {
        case username = "preferred_username"
        case subject = "sub"
        case email
    }

    /// Reads a configuration file.
    ///
    /// - Throws: ``GateConfigurationError`` for the first thing that is wrong, with its place.
    package init(reading bytes: Data) throws(GateConfigurationError) {
        if let name = RepeatedMember.name(in: bytes) { throw GateConfigurationError(repeating: name) }
        do {
            self = try JSONDecoder().decode(GateConfiguration.self, from: bytes)
        } catch let error as DecodingError {
            throw GateConfigurationError(error)
        } catch {
            throw GateConfigurationError(at: "", "The file cannot be read.")
        }
    }

    /// The site with this authority; `nil` for none.
    ///
    /// A proxy may name the usual port, too, which the addresses of sites leave out.
    func site(of authority: String?) -> GateSite? {
        guard let authority = authority?.lowercased() else { return nil }
        if let site = sites[authority] { return site }
        for (isSecure, port) in [(true, ":443"), (false, ":80")] where authority.hasSuffix(port) {
            let site = sites[String(authority.dropLast(port.count))]
            return site?.isSecure == isSecure ? site : nil
        }
        return nil
    }

    /// Whether a peer is one of the proxies; a Unix domain socket, which has no address, counts as one.
    func isProxy(_ peer: String?) -> Bool {
        guard let peer = peer.map(AddressNetwork.plain) else { return true }
        return proxies.contains { $0.contains(peer) }
    }
}

extension GateConfiguration: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case issuer, listen, state, sites, scope
        case client = "client-id"
        case secretFile = "client-secret-file"
        case certificates = "ca-file"
        case proxies = "trusted-proxies"
        case dialect = "original-request"
        case user = "remote-user"
        case recheck, away
        case session = "session-lifetime"
        case mostSessions = "most-sessions"
    }

    package init(from decoder: any Decoder) throws {
        let members = try StrictMembers<Key>(decoder)
        let issuerText: String = try members.needed(.issuer)
        guard let issuer = try? Issuer(issuerText) else {
            throw members.error(at: .issuer, "It takes the https address of the server, as in https://id.example.com.")
        }
        self.issuer = issuer
        client = ClientID(try members.needed(.client) as String)
        secretFile = try members.needed(.secretFile)
        certificates = try members.optional(.certificates)
        listen = try members.optional(.listen) ?? "127.0.0.1:8090"
        state = try members.optional(.state) ?? "/var/lib/countersign-gate"
        proxies =
            try members.list(.proxies, orSay: "It takes addresses and networks, as in 10.0.0.0/8.", AddressNetwork.init)
            ?? ["127.0.0.0/8", "::1"].compactMap { AddressNetwork($0) }
        let dialects = RequestDialect.allCases.map(\.rawValue).joined(separator: " or ")
        let dialectText: String = try members.needed(.dialect)
        guard let dialect = RequestDialect(rawValue: dialectText) else {
            throw members.error(at: .dialect, "It takes \(dialects).")
        }
        self.dialect = dialect
        let claims = UserClaim.allCases.map(\.rawValue).joined(separator: ", ")
        user = try members.parsed(.user, orSay: "It takes one of \(claims).", UserClaim.init) ?? .username
        scope =
            try members.parsed(.scope, orSay: "It takes words with spaces between.") { Scope(parsing: $0) }
            ?? Scope(parsing: "openid profile email groups") ?? .none
        guard scope.words.contains(.openid) else { throw members.error(at: .scope, "It needs the word openid.") }
        var times = Times()
        times.recheck = try members.number(.recheck, in: 1...3_600).map(TimeInterval.init) ?? times.recheck
        times.away = try members.number(.away, in: 0...86_400).map(TimeInterval.init) ?? times.away
        times.session = try members.number(.session, in: 60...Times.longest).map(TimeInterval.init) ?? times.session
        self.times = times
        mostSessions = try members.number(.mostSessions, in: 1...1_000_000) ?? 10_000
        let sites: [GateSite] = try members.needed(.sites)
        guard !sites.isEmpty else { throw members.error(at: .sites, "It needs a site at least.") }
        if user == .email, !scope.contains(.email) {
            throw members.error(at: .scope, "It needs the word email, as remote-user says.")
        }
        if !scope.contains(.groups), let rule = sites.placeOfGroups {
            throw members.error(at: .scope, "It needs the word groups, or nobody passes by \(rule).")
        }
        self.sites = try sites.reduce(into: [:]) { all, site in
            guard all.updateValue(site, forKey: site.authority) == nil else {
                throw members.error(at: .sites, "\(site.authority) is there twice.")
            }
        }
    }
}

extension [GateSite] {
    /// The place of the first rule that demands groups of the gate's own sessions alone; `nil` when there is none.
    fileprivate var placeOfGroups: String? {
        for (site, rules) in map(\.rules).enumerated() {
            let rule = rules.firstIndex { rule in
                guard case .people(let demands) = rule.access else { return false }
                // A token has a scope of its own.
                return !demands.groups.isEmpty && demands.tokens == nil
            }
            if let rule { return "sites[\(site)].rules[\(rule)]" }
        }
        return nil
    }
}
