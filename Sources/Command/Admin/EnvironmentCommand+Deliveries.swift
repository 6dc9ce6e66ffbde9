internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension EnvironmentCommand {
    /// `countersign admin environment deliveries`
    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what was sent for an environment, the newest first, or send one of it again.",
            discussion: """
                Webhooks, push messages and texts are listed for a week. The words of a text are forgotten once it was \
                sent, so that it cannot be sent again.

                Examples:
                  countersign admin environment deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c
                  countersign admin environment deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c --replay bEo1
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment

        @Option(name: .long, help: ArgumentHelp("Send this one again.", valueName: "id"))
        var replay: String?

        @Option(name: .long, help: "How many to list, from 1 to 1000. (default: 50)")
        var limit: Int?

        func run() async throws {
            try await ending {
                guard (1...1000).contains(limit ?? 50), limit == nil || replay == nil else {
                    throw Failure("--limit goes from 1 to 1000, and not together with --replay.", status: .usage)
                }
                if let replay { return try await sendAgain(Delivery.ID(replay)) }
                let found = try await admin.withStore { [named, limit] store in
                    try await store.read { repositories -> [Delivery]? in
                        let id = try named.environment
                        guard try repositories.environments.find(id) != nil else { return nil }
                        return try repositories.deliveries.page(of: id, before: nil, limit: limit ?? 50)
                    }
                }
                guard let found else { throw named.isMissing }
                try ShownDelivery.list(found, by: admin)
            }
        }

        private func sendAgain(_ id: Delivery.ID) async throws {
            let now = TimeSource.system.now()
            let replayed = try await admin.withStore { [named] store in
                try await store.change { repositories -> Delivery? in
                    let environment = try named.environment
                    guard try repositories.deliveries.find(id)?.environment == environment else { return nil }
                    return try repositories.deliveries.replay(id, at: now, lifetime: DeliveryTimes.webhookLifetime)
                }
            }
            guard let replayed else {
                throw Failure("There is no delivery \(id) of that environment that can be sent again.")
            }
            try admin.print(ShownDelivery(replayed), or: "The delivery \(id) is sent again.")
        }
    }
}

/// A delivery as the command shows it, without words, numbers and addresses.
struct ShownDelivery: Encodable {
    let id: String
    let kind: String
    let request: String?
    let made: Date
    let due: Date
    let attempts: Int
    let state: String

    init(_ delivery: Delivery) {
        id = delivery.id.rawValue
        kind = delivery.kind
        request = delivery.request?.rawValue
        made = delivery.made
        due = delivery.due
        attempts = delivery.attempts
        state =
            switch delivery.state {
            case .waiting: "waiting"
            case .delivered: "delivered"
            case .failed(let failure, at: _): "failed: \(failure.rawValue)"
            }
    }

    /// Prints deliveries as a table, or as JSON.
    static func list(_ deliveries: [Delivery], by admin: AdminOptions) throws {
        let all = deliveries.map { ShownDelivery($0) }
        var table = TextTable(["id", "kind", "made", "attempts", "state"])
        for shown in all {
            table.add([shown.id, shown.kind, shown.made.formatted(.iso8601), "\(shown.attempts)", shown.state])
        }
        try admin.print(all, or: all.isEmpty ? "No deliveries." : table.text)
    }
}
