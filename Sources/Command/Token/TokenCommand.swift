internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// `countersign token`: the stored sign-in.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "List, show, renew and discard the tokens that were kept.",
        discussion: "These are what 'signin' and other apps of the same group keep. A token is printed only on demand.",
        subcommands: [
            List.self, Show.self, Print.self, Exec.self, Header.self, Renew.self, Discard.self, Exchange.self,
            Nonce.self,
        ]
    )
}

/// The options that every command about tokens has.
struct TokenOptions: ParsableArguments {
    @OptionGroup var storage: TokenStoreOptions

    @Flag(help: "Print JSON.")
    var json = false
}

/// A command about tokens, which ends with one output.
protocol TokenAction: OutputCommand {
    var options: TokenOptions { get }
}

extension TokenAction {
    var json: Bool { options.json }
}

/// The options that select a stored sign-in.
struct SignInSelection: ParsableArguments {
    @Option(help: "The base URL of the server that signed in.")
    var issuer: String?

    @Option(help: "The client that was signed in.")
    var client: String?

    @Option(help: "The person, by a name that 'token list' shows, where several share it. (default: the current one)")
    var person: String?

    @Option(help: "The purpose of a program that signed in by 'signin --as-service'.")
    var service: String?

    /// Whether any of them was given.
    var isGiven: Bool { issuer != nil || client != nil || person != nil || service != nil }

    /// The selected sign-in in `store`.
    func token(in store: some TokenStore) async throws -> SelectedToken {
        guard service == nil || person == nil else {
            throw CommandError.usage("--service and --person name another kind of sign-in.")
        }
        if service != nil { try await store.requireService(where: matches) }
        return try await store.onlyToken(of: person, isNamed: isGiven, where: matches)
    }

    /// Whether it is the key of a sign-in that the options allow.
    func matches(_ key: TokenStoreKey) -> Bool {
        if let service {
            guard key.kind == .service, key.names.count == 3,
                key.names[2] == GuestService.purpose(parsing: service)
            else { return false }
        } else {
            guard key.kind == .signIn, key.names.count == 2 else { return false }
        }
        return TokenSelection.address(issuer, is: key.names[0]) && (client ?? key.names[1]) == key.names[1]
    }
}

/// The options that select a stored token.
struct TokenSelection: ParsableArguments {
    @OptionGroup var signIn: SignInSelection

    @Option(help: "The address of the authorization provider (ETSI TS 103 407).")
    var cpa: String?

    @Option(help: "The domain of the service (ETSI TS 103 407).")
    var domain: String?

    /// The selected token in `store`.
    func token(in store: some TokenStore) async throws -> SelectedToken {
        let isForService = cpa != nil || domain != nil
        guard !signIn.isGiven || !isForService else {
            let names = signIn.person == nil ? "--issuer and --client name" : "--issuer, --client and --person name"
            throw CommandError.usage("\(names) another kind than --cpa and --domain.")
        }
        guard signIn.service == nil else { return try await signIn.token(in: store) }
        return try await store.onlyToken(of: signIn.person, isNamed: signIn.isGiven || isForService) { key in
            isForService ? matches(key) : signIn.matches(key) || !signIn.isGiven && matches(key)
        }
    }

    /// Whether it is the key of a service's token that the options allow.
    private func matches(_ key: TokenStoreKey) -> Bool {
        guard key.kind == .crossPlatformToken, key.names.count == 2 else { return false }
        return Self.address(cpa, is: key.names[0]) && (domain ?? key.names[1]) == key.names[1]
    }

    /// Whether an address, if one was given, is the stored one; a slash at its end makes no difference.
    fileprivate static func address(_ typed: String?, is kept: String) -> Bool {
        guard let typed else { return true }
        let bare = { (text: String) in text.hasSuffix("/") ? String(text.dropLast()) : text }
        return bare(typed) == bare(kept)
    }
}

/// A stored token.
struct SelectedToken: Sendable {
    let key: TokenStoreKey
    /// The person whose sign-in it is; `nil` for the current one, and for tokens of other kinds.
    var person: Household.Person?
}

extension TokenStore {
    /// The only matching token.
    ///
    /// - Parameters:
    ///   - name: The name of a person; `nil` for the current one, or the only one where nobody is current.
    ///   - isNamed: Whether the person at the terminal has selected a token.
    ///   - matches: Whether a key may be the one.
    fileprivate func onlyToken(
        of name: String?,
        isNamed: Bool,
        where matches: (TokenStoreKey) -> Bool
    ) async throws -> SelectedToken {
        let now = TimeSource.system.now()
        guard let name else {
            let key = try await onlyKey(isNamed: isNamed, where: matches)
            guard key.kind == .signIn else { return SelectedToken(key: key) }
            let current = try await signedIn(for: key)
            if let current, !current.isOver(at: now) { return SelectedToken(key: key) }
            let people = try await people(for: key, at: now)
            guard people.count < 2 else {
                throw CommandError.usage("Nobody is signed in. Say whom you mean, with --person:\n\(people.lines)")
            }
            // One whose time is over is still stored, and can be discarded.
            guard !people.isEmpty || current == nil else { return SelectedToken(key: key) }
            return SelectedToken(key: key, person: try people.first.or(failure: "There is no such token here."))
        }
        var (known, meant) = ([Household.Person](), [SelectedToken]())
        for key in try await keys() where key.kind == .signIn && matches(key) {
            let people = try await people(for: key, at: now)
            known += people
            meant += people.filter { $0.isNamed(name) }.map { SelectedToken(key: key, person: $0) }
        }
        guard Set(meant.map(\.key)).count < 2 else {
            throw CommandError.usage("There are \(meant.count) of them. Say which one:\n\(meant.map(\.key).lines)")
        }
        let person = try known.only(named: name)
        return SelectedToken(key: meant[0].key, person: person)
    }

    /// Makes sure that a service is signed in that a person named, or names those that are.
    fileprivate func requireService(where matches: (TokenStoreKey) -> Bool) async throws {
        let services = try await keys().filter { $0.kind == .service && $0.names.count == 3 }
        guard services.isEmpty || services.contains(where: matches) else {
            throw CommandError("There is no such service here. Those that are signed in:\n\(services.lines)")
        }
    }

    /// The only matching key.
    ///
    /// - Parameters:
    ///   - isNamed: Whether the person has selected a token.
    ///   - matches: Whether a key may be the one.
    fileprivate func onlyKey(isNamed: Bool, where matches: (TokenStoreKey) -> Bool) async throws -> TokenStoreKey {
        let all = try await keys()
        let meant = all.filter(matches)
        guard let key = meant.first else {
            let services = all.filter { $0.kind == .service && $0.names.count == 3 }
            guard services.isEmpty || isNamed else {
                throw CommandError.usage("Only services are signed in here. Say which one:\n\(services.lines)")
            }
            let isEmpty = all.allSatisfy { !$0.kind.isForSomebody }
            throw CommandError(isEmpty && !isNamed ? "No tokens are stored here." : "There is no such token here.")
        }
        guard meant.count == 1 else {
            throw CommandError.usage("There are \(meant.count) of them. Say which one:\n\(meant.lines)")
        }
        return key
    }
}

extension [TokenStoreKey] {
    /// A line for each, with the options that select it.
    fileprivate var lines: String { map { "  \($0.options)" }.joined(separator: "\n") }
}

extension TokenStoreKey {
    /// The options that select the token.
    fileprivate var options: String {
        switch kind {
        case .signIn: "--issuer \(names[0]) --client \(names[1])"
        case .service: "--issuer \(names[0]) --client \(names[1]) --service '\(names[2])'"
        default: "--cpa \(names[0]) --domain \(names[1])"
        }
    }
}

extension TokenStoreKey.Kind {
    /// Whether its items are tokens of somebody. Others, such as keys, have separate names and belong to no account.
    var isForSomebody: Bool { [.signIn, .service, .crossPlatformToken].contains(self) }
}

extension TokenStoreKey {
    /// Whether it is the key of a sign-in at a server: of people, or of a service.
    var isSignIn: Bool { kind == .signIn || kind == .service }
}
