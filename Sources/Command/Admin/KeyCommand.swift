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
        subcommands: [List.self, Rotate.self]
    )

    private static let purposes: [ServerKey.Purpose] = [.signES256, .signRS256]

    /// `countersign admin key list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the signing keys.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let keys = try await admin.withStore { try await $0.read { try $0.serverKeys.all() } }
                    .filter { KeyCommand.purposes.contains($0.purpose) }
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
                New keys are published at once and sign after an hour, when everybody has seen them; the old ones stay \
                published for a day after that.
                """
        )

        @OptionGroup var admin: AdminOptions

        @Flag(name: .long, help: "Sign with the new keys at once: for keys that are no longer trusted.")
        var atOnce = false

        func run() async throws {
            try await ending {
                let now = TimeSource.system.now()
                let activates = atOnce ? now : now.addingTimeInterval(KeyRotation.lead)
                let mint = CodeMint(drawingFrom: .system)
                let fresh = try KeyCommand.purposes.map {
                    try ServerKey.generate($0, by: mint, created: now, activates: activates)
                }
                try await admin.withStore { store in
                    try await store.change { repositories in
                        for key in fresh {
                            try repositories.serverKeys.insert(key)
                            try repositories.record(.operator(now, .keyAdded, detail: key.id.rawValue))
                        }
                    }
                }
                let ids = fresh.map(\.id.rawValue).joined(separator: ", ")
                try admin.print(fresh.map { ShownKey($0) }, or: "Added the keys \(ids).")
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
