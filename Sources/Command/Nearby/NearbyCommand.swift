internal import ArgumentParser
internal import CountersignNearby
internal import Foundation

/// `countersign nearby`: what this device keeps of others nearby.
struct NearbyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "Manage the devices nearby that this one is paired with.",
        subcommands: [Paired.self]
    )

    /// `countersign nearby paired`
    struct Paired: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List paired devices, or end a pairing.", subcommands: [List.self, Forget.self])
    }
}

extension NearbyCommand.Paired {
    /// `countersign nearby paired list`
    struct List: OutputCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices that are paired with this one.")

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput {
            let pairings = try reading { () throws(PairingStoreError) in try NearbyOptions.pairings.read().all }
            return CommandOutput(pairings, as: \.members, in: Pairing.columns, none: "No device is paired.")
        }
    }

    /// `countersign nearby paired forget`
    struct Forget: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a device: it needs a code again. What it is signed in to ends on the account page.")

        @Argument(help: "Which one, as 'list' shows it.")
        var which: String

        func output() async throws -> CommandOutput {
            let existed = try reading { () throws(PairingStoreError) in
                try NearbyOptions.pairings.forget(PairingID(which))
            }
            guard existed else { throw CommandError("No device \(which) is paired.") }
            return CommandOutput(
                words: "Forgotten. It needs a code again; sign it out on the account page if it should not go on.")
        }
    }
}

extension Pairing {
    fileprivate static var columns: Columns<Pairing> {
        [
            "which": \.id.rawValue, "name": \.peerName.shown, "here it": \.role.words, "app": \.app.rawValue,
            "account": \.account, "last used": { $0.lastUsed.formatted(.iso8601) },
        ]
    }

    fileprivate var members: OutputMembers {
        [
            "id": id.rawValue, "name": peerName.shown, "role": role.rawValue, "app": app.rawValue,
            "account": account, "made": made, "last_used": lastUsed,
        ]
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
        throw CommandError("The paired devices cannot be used: \(error)")
    }
}
