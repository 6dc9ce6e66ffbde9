internal import ArgumentParser
internal import CountersignNearby
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign nearby`: what this device keeps of others nearby.
struct NearbyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "Manage the devices nearby that this one remembers.",
        subcommands: [Paired.self]
    )

    /// `countersign nearby paired`
    struct Paired: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List remembered devices, or forget one.",
            subcommands: [List.self, Forget.self]
        )
    }
}

extension NearbyCommand.Paired {
    /// `countersign nearby paired list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices that are remembered.")

        @Flag(name: .long, help: "Print JSON.")
        var json = false

        func run() async throws {
            try await ending {
                let pairings = try reading { () throws(PairingStoreError) in try NearbyOptions.pairings.read().all }
                guard !json else { return try Terminal.sayJSON(pairings.map { ShownPairing($0) }) }
                guard !pairings.isEmpty else { return Terminal.say("No device is remembered.") }
                var table = TextTable(["which", "name", "here it", "app", "account", "last used"])
                for pairing in pairings {
                    table.add([
                        pairing.id.rawValue, pairing.peerName.shown, pairing.role.words, pairing.app.rawValue,
                        pairing.account ?? "", pairing.lastUsed.formatted(.iso8601),
                    ])
                }
                Terminal.say(table.text)
            }
        }
    }

    /// `countersign nearby paired forget`
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a device: it needs a code again. What it is signed in to ends on the account page."
        )

        @Argument(help: "Which one, as 'list' shows it.")
        var which: String

        func run() async throws {
            try await ending {
                let wasThere = try reading { () throws(PairingStoreError) in
                    try NearbyOptions.pairings.forget(PairingID(which))
                }
                guard wasThere else { throw Failure("No device \(which) is remembered.") }
                Terminal.say(
                    "Forgotten. It needs a code again; sign it out on the account page if it should not go on.")
            }
        }
    }
}

/// A pairing as the command shows it.
private struct ShownPairing: Encodable {
    let id: String
    let name: String
    let role: String
    let app: String
    let account: String?
    let made: Date
    let lastUsed: Date

    enum CodingKeys: String, CodingKey {
        case id, name, role, app, account, made
        case lastUsed = "last_used"
    }

    init(_ pairing: Pairing) {
        id = pairing.id.rawValue
        name = pairing.peerName.shown
        role = pairing.role.rawValue
        app = pairing.app.rawValue
        account = pairing.account
        made = pairing.made
        lastUsed = pairing.lastUsed
    }
}

extension Pairing.Role {
    fileprivate var words: String {
        switch self {
        case .requester: "approves"
        case .approver: "asks"
        }
    }
}

/// Says in a sentence why pairings cannot be read.
private func reading<Value>(_ body: () throws(PairingStoreError) -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw Failure("The remembered devices cannot be used: \(error)")
    }
}
