internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin key`: the keys that sign tokens.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that sign tokens.",
        discussion: "The server renews them by itself every 90 days.",
        subcommands: [List.self, Rotate.self]
    )

    /// `countersign admin key list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the signing keys.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let keys = try await admin.withStore { try await $0.read { try $0.serverKeys.all() } }
                    .filter { ServerKey.Purpose.signing.contains($0.purpose) }
                var table = TextTable(["id", "algorithm", "signs from", "retired"])
                for key in keys.map({ ShownKey($0) }) {
                    table.add([
                        key.id, key.algorithm, key.activates.formatted(.iso8601),
                        key.retired?.formatted(.iso8601) ?? "",
                    ])
                }
                try admin.print(keys.map { ShownKey($0) }, or: keys.isEmpty ? "No keys yet." : table.text)
            }
        }
    }

    /// `countersign admin key rotate`
    struct Rotate: AsyncParsableCommand {
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

        @Flag(name: .long, help: "Replace all keys now: for keys that may be in the wrong hands.")
        var atOnce = false

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let mint = CodeMint(drawingFrom: .system)
                let fresh = try await admin.withStore { [atOnce] store in
                    try await atOnce ? store.replaceKeys(by: mint, at: now) : store.addSigningKeys(by: mint, at: now)
                }
                let ids = fresh.map(\.id.rawValue).joined(separator: ", ")
                try admin.print(
                    fresh.map { ShownKey($0) },
                    or: atOnce
                        ? "Replaced all keys by \(ids). Tokens that an old key signed are refused."
                        : "Added the keys \(ids)."
                )
            }
        }
    }
}

/// A key as the command shows it: never its secret.
struct ShownKey: Encodable {
    let id: String
    let algorithm: String
    let created: Date
    let activates: Date
    let retired: Date?

    init(_ key: ServerKey) {
        id = key.id.rawValue
        algorithm = key.purpose == .signES256 ? "ES256" : "RS256"
        created = key.created
        activates = key.activates
        retired = key.retired
    }
}
