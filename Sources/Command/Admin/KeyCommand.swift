internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin key`: the keys that sign tokens.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that sign tokens.",
        discussion: "The server renews them by itself every 90 days.",
        subcommands: [ListCommand<ServerKey>.self, Rotate.self]
    )

    /// `countersign admin key rotate`
    struct Rotate: DestructiveAction {
        static let configuration = CommandConfiguration(
            abstract: "Bring new signing keys in.",
            discussion: """
                New keys are published at once and sign after an hour, when every service has seen them; the old ones \
                stay published for a day after that.

                With --at-once the new keys sign immediately, and every other signing key is gone: those that sign, \
                those that signed before and those that wait for their hour. Access tokens that they signed are \
                refused, and so are pages that were opened before. A service that verifies tokens itself may accept \
                the old keys for five minutes more, and for up to an hour while it cannot reach this server or has \
                no tokens to verify. Restart it if that is too long, or let it use introspection.
                """
        )

        @OptionGroup var admin: AdminOptions

        @Flag(help: "Replace all keys now: for keys that may be in the wrong hands.")
        var atOnce = false

        @OptionGroup var confirmation: ConfirmationOption

        func loss() async throws -> Loss? {
            atOnce ? Loss("all present keys, and the tokens that they signed", by: "Ends") : nil
        }

        func confirmedOutput() async throws -> CommandOutput {
            let now = TimeSource.system.now()
            let mint = CodeMint(drawingFrom: .system)
            let fresh = try await admin.withStore { store in
                try await atOnce ? store.replaceKeys(by: mint, at: now) : store.addSigningKeys(by: mint, at: now)
            }
            let ids = fresh.map(\.id.rawValue).joined(separator: ", ")
            return CommandOutput(
                encoding: fresh.map(\.members),
                atOnce
                    ? "Replaced all keys by \(ids). Tokens that an old key signed are refused."
                    : "Added the keys \(ids)."
            )
        }
    }
}

/// The keys that sign tokens, without their secrets.
extension ServerKey: StoredNoun {
    static let listAbstract = "List the signing keys."
    static let none = "No keys yet."

    static var columns: Columns<Self> {
        [
            "id": \.id.rawValue, "algorithm": \.algorithm, "signs from": { $0.activates.formatted(.iso8601) },
            "retired": { $0.retired?.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        ["id": id.rawValue, "algorithm": algorithm, "created": created, "activates": activates, "retired": retired]
    }

    private var algorithm: String { purpose == .signES256 ? "ES256" : "RS256" }

    static func all(in store: any Store) async throws -> [Self] {
        try await store.read { try $0.serverKeys.all() }.filter { Purpose.signing.contains($0.purpose) }
    }
}
