internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension EnvironmentCommand {
    /// `countersign admin environment deliveries`
    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what was sent for an environment, the newest first, or send one of it again.",
            discussion: """
                Webhooks, push messages and texts are listed for a week. The words of a text are forgotten once it was \
                sent, so that it cannot be sent again; nor can a webhook once its request is gone, two hours after \
                its time was over.

                Examples:
                  countersign admin environment deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c
                  countersign admin environment deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c --replay bEo1
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NamedEnvironment

        @OptionGroup var choice: DeliveryChoice

        func run() async throws {
            try await ending {
                let limit = try choice.checkedLimit
                if let replay = choice.replay { return try await sendAgain(Delivery.ID(replay)) }
                let found = try await admin.withStore { [named] store in
                    try await store.read { repositories -> [Delivery]? in
                        let id = try named.environment
                        guard try repositories.environments.find(id) != nil else { return nil }
                        return try repositories.deliveries.page(of: id, before: nil, limit: limit)
                    }
                }
                guard let found else { throw named.isMissing }
                try ShownDelivery.list(found, by: admin)
            }
        }

        private func sendAgain(_ id: Delivery.ID) async throws {
            let environment = try named.environment
            let isSent = try await admin.sendAgain(id) { $0.environment == environment }
            guard isSent else {
                throw Failure("There is no delivery \(id) of that environment that can be sent again.")
            }
        }
    }
}

/// Which deliveries a command lists, or the one that it sends again.
struct DeliveryChoice: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Send this one again.", valueName: "id"))
    var replay: String?

    @Option(name: .long, help: "How many to list, from 1 to 1000. (default: 50)")
    var limit: Int?

    /// The number of deliveries to list.
    ///
    /// - Throws: a ``Failure`` when it is out of bounds, or given beside the one to send again.
    var checkedLimit: Int {
        get throws {
            guard (1...1000).contains(limit ?? 50), limit == nil || replay == nil else {
                throw Failure("--limit goes from 1 to 1000, and not together with --replay.", status: .usage)
            }
            return limit ?? 50
        }
    }
}

extension AdminOptions {
    /// Sends a delivery again and prints it; returns `false` when there is none, or none that `isMeant` accepts, that
    /// can be sent again.
    ///
    /// - Throws: a ``Failure`` when its request is gone.
    func sendAgain(_ id: Delivery.ID, if isMeant: @escaping @Sendable (Delivery) -> Bool) async throws -> Bool {
        let now = TimeSource.system.now()
        let replayed = try await withStore { store in
            try await store.change { repositories -> Delivery? in
                guard let found = try repositories.deliveries.find(id), isMeant(found) else { return nil }
                guard try repositories.hasContent(of: found) else {
                    throw Failure("The request that the delivery \(id) is about is not kept any more.")
                }
                return try repositories.deliveries.replay(id, at: now, lifetime: DeliveryTimes.webhookLifetime)
            }
        }
        guard let replayed else { return false }
        try print(ShownDelivery(replayed), or: "The delivery \(id) is sent again.")
        return true
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
