package import Countersign
package import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A rule of a site: the requests that it matches, and the access that it gives.
package struct GateRule: Sendable, Equatable {
    package let path: PathPattern
    /// The methods that it matches; `nil` for all.
    package let methods: Set<String>?
    package let access: Access

    /// The access to what a rule matches.
    package enum Access: Sendable, Equatable {
        /// Everybody has access.
        case everybody
        /// People who are signed in have access, if they meet the demands.
        case people(Demands)
    }

    /// The demands on a person.
    package struct Demands: Sendable, Equatable {
        /// The groups of which the person needs one; empty for none.
        package var groups: Set<GroupName> = []
        package var authentication = AuthenticationDemand.none
        /// The access of API clients with a token; `nil` for none.
        package var tokens: TokenDemand?

        package init() {}

        /// Whether a person in these groups has one that will do.
        func admits(_ groups: [GroupName]) -> Bool { self.groups.isEmpty || !self.groups.isDisjoint(with: groups) }
    }

    /// The demands on the token of an API client.
    package struct TokenDemand: Sendable, Equatable {
        package var scope: Scope
    }

    /// The rule for requests that no other matches: any person who is signed in.
    package static let rest = GateRule(path: .all, methods: nil, access: .people(Demands()))

    init(path: PathPattern, methods: Set<String>?, access: Access) {
        self.path = path
        self.methods = methods
        self.access = access
    }
}

/// A pattern of paths.
package enum PathPattern: Sendable, Equatable {
    case all
    /// One path, as `/health`.
    case exact(SitePath)
    /// A path and all below it, as `/admin/*`.
    case below(SitePath)

    /// Reads `/path`, `/path/*` or `/*`; `nil` for anything else, and for a path of which some server leaves a part out:
    /// it would be taken for that of other requests.
    init?(parsing text: String) {
        guard text != "/*" else {
            self = .all
            return
        }
        let isBelow = text.hasSuffix("/*")
        let start = isBelow ? text.dropLast(2) : text[...]
        guard !start.contains("*"), let path = SitePath(String(start)), !path.isShortened else { return nil }
        self = isBelow ? .below(path) : .exact(path)
    }

    /// Whether a path matches, letter by letter.
    func matches(_ path: SitePath) -> Bool {
        switch self {
        case .all: true
        case .exact(let own): path == own
        case .below(let own): path.isBelow(own)
        }
    }

    /// Whether some server may take a path for one that matches, because it folds names (``FoldedName``).
    func mayMatch(_ path: SitePath) -> Bool {
        switch self {
        case .all: true
        case .exact(let own): path.folded == own.folded
        case .below(let own): path.folded.starts(with: own.folded)
        }
    }

    /// Whether each path of another pattern matches, or may be taken for one that does.
    func covers(_ other: PathPattern) -> Bool {
        switch (self, other) {
        case (.all, _): true
        case (_, .all), (.exact, .below): false
        case (_, .exact(let path)), (.below, .below(let path)): mayMatch(path)
        }
    }
}

extension GateRule: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case path, methods, groups, acr, bearer, scope
        case isPublic = "public"
        case maxAge = "max-age"
    }

    package init(from decoder: any Decoder) throws {
        let members = try StrictMembers<Key>(decoder)
        let sentence = "It takes a path as /health, or as /admin/* for it and all below it; without ;, ? and #."
        path = try members.parsed(.path, orSay: sentence, PathPattern.init) ?? .all
        methods = try members.list(.methods, orSay: "It takes methods as GET, which is HEAD, too.") { name in
            name.utf8.allSatisfy { (0x41...0x5A).contains($0) } && !name.isEmpty && name != "HEAD" ? name : nil
        }.map(Set.init)
        guard methods?.isEmpty != true else { throw members.error(at: .methods, "It needs a method at least.") }
        var demands = Demands()
        let named = try members.list(.groups, orSay: "It takes names of groups.") { GroupName(parsing: $0) }
        demands.groups = Set(named ?? [])
        guard named?.isEmpty != true else { throw members.error(at: .groups, "It needs a group at least.") }
        demands.authentication = AuthenticationDemand(
            classes: try members.list(.acr, orSay: "It takes classes without spaces.", Self.authenticationClass) ?? [],
            maxAge: try members.number(.maxAge, in: 1...GateConfiguration.Times.longest)
        )
        let scope = try members.parsed(.scope, orSay: "It takes words with spaces between.") { Scope(parsing: $0) }
        if try members.optional(.bearer) ?? false { demands.tokens = TokenDemand(scope: scope ?? .none) }
        guard scope == nil || demands.tokens != nil else { throw members.error(at: .scope, "It needs bearer: true.") }
        guard try members.optional(.isPublic) ?? false else {
            access = .people(demands)
            return
        }
        guard demands == Demands() else {
            throw members.error(at: .isPublic, "A public rule has no other demands.")
        }
        access = .everybody
    }

    private static func authenticationClass(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        return isPlain && (1...256).contains(text.utf8.count) ? text : nil
    }
}
