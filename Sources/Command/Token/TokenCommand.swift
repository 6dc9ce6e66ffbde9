internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// `countersign token`: what is kept after signing in.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "List, show, renew and discard the tokens that were kept.",
        discussion: "These are what 'signin' and other apps of the same group keep. A token is printed only on demand.",
        subcommands: [
            List.self, Show.self, Header.self, Renew.self, Discard.self, Exchange.self, Nonce.self,
        ]
    )
}

/// The options that every command about tokens has.
struct TokenOptions: ParsableArguments {
    @OptionGroup var storage: TokenStoreOptions

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    /// Prints `value` as JSON with `--json`, and otherwise `text`.
    func print(_ value: some Encodable, or text: @autoclosure () -> String) throws {
        guard json else { return Terminal.say(text()) }
        try Terminal.sayJSON(value)
    }
}

/// The options that select a stored token.
struct TokenSelection: ParsableArguments {
    @Option(name: .long, help: "The base URL of the server that signed in.")
    var issuer: String?

    @Option(name: .long, help: "The client that was signed in.")
    var client: String?

    @Option(name: .long, help: "The address of the authorization provider (ETSI TS 103 407).")
    var cpa: String?

    @Option(name: .long, help: "The domain of the service (ETSI TS 103 407).")
    var domain: String?

    /// The key of the selected token in `store`.
    func key(in store: some TokenStore) async throws -> TokenStoreKey {
        guard issuer == nil && client == nil || cpa == nil && domain == nil else {
            throw Failure("--issuer and --client name another kind than --cpa and --domain.", status: .usage)
        }
        let keys = try await store.keys().filter(isMeant)
        guard let key = keys.first else {
            let isOpen = issuer == nil && client == nil && cpa == nil && domain == nil
            throw Failure(isOpen ? "Nothing is kept here." : "There is no such token here.")
        }
        guard keys.count == 1 else {
            let options = keys.map { "  " + Self.options(for: $0) }.joined(separator: "\n")
            throw Failure("There are \(keys.count) of them. Say which one:\n\(options)", status: .usage)
        }
        return key
    }

    private func isMeant(_ key: TokenStoreKey) -> Bool {
        guard key.names.count == 2 else { return false }
        switch key.kind {
        case .signIn:
            guard cpa == nil, domain == nil else { return false }
            return Self.address(issuer, is: key.names[0]) && (client ?? key.names[1]) == key.names[1]
        case .crossPlatformToken:
            guard issuer == nil, client == nil else { return false }
            return Self.address(cpa, is: key.names[0]) && (domain ?? key.names[1]) == key.names[1]
        default:
            return false
        }
    }

    /// Whether an address, if one was given, is the stored one; a slash at its end makes no difference.
    private static func address(_ typed: String?, is kept: String) -> Bool {
        guard let typed else { return true }
        let bare = { (text: String) in text.hasSuffix("/") ? String(text.dropLast()) : text }
        return bare(typed) == bare(kept)
    }

    private static func options(for key: TokenStoreKey) -> String {
        key.kind == .signIn
            ? "--issuer \(key.names[0]) --client \(key.names[1])" : "--cpa \(key.names[0]) --domain \(key.names[1])"
    }
}
