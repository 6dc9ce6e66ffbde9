internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension CustomerSiteCommand {
    /// `countersign admin site deliveries`
    struct Deliveries: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "List what was sent for a site, the newest first, or send one of it again.",
            discussion: """
                Webhooks, push messages and texts are listed for a week. The words of a text are forgotten once it was \
                sent, so that it cannot be sent again; nor can a webhook once its request is gone, two hours after \
                its time was over.

                Examples:
                  countersign admin site deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c
                  countersign admin site deliveries 6f1c3a52-8f0e-4d0c-9a55-0d5c6f3a1b2c --replay bEo1
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var named: NounArgument<CustomerSite>

        @OptionGroup var choice: DeliveryChoice

        func output() async throws -> CommandOutput {
            let limit = try choice.checkedLimit
            if let replay = choice.replay {
                let (id, environment) = (Delivery.ID(replay), try named.id)
                return try await admin.sendAgain(id, "delivery \(id) of that site that can be sent again") {
                    $0.environment == environment
                }
            }
            let found = try await admin.read { [named] repositories -> [Delivery]? in
                let id = try named.id
                guard try repositories.environments.find(id) != nil else { return nil }
                return try repositories.deliveries.page(of: id, before: nil, limit: limit)
            }
            guard let found else { throw named.isMissing }
            return Delivery.output(found)
        }
    }
}

/// The deliveries that a command lists, or the one that it sends again.
struct DeliveryChoice: ParsableArguments {
    @Option(help: ArgumentHelp("Send this one again.", valueName: "id"))
    var replay: String?

    @Option(help: "How many to list, from 1 to 1000. (default: 50)")
    var limit: Int?

    /// The number of deliveries to list.
    ///
    /// - Throws: a ``CommandError`` when it is out of bounds, or combined with the one to send again.
    var checkedLimit: Int {
        get throws {
            guard (1...1000).contains(limit ?? 50), limit == nil || replay == nil else {
                throw CommandError.usage("--limit goes from 1 to 1000, and not together with --replay.")
            }
            return limit ?? 50
        }
    }
}

extension AdminOptions {
    /// Sends a delivery again.
    ///
    /// - Parameters:
    ///   - words: The delivery in the sentence "There is no …".
    ///   - matches: Whether the command is about such a delivery.
    /// - Throws: a ``CommandError`` when there is none, or none that `matches` accepts, and when its request is gone.
    func sendAgain(
        _ id: Delivery.ID,
        _ words: String,
        if matches: @escaping @Sendable (Delivery) -> Bool
    ) async throws -> CommandOutput {
        let now = TimeSource.system.now()
        let replayed = try await change { repositories -> Delivery? in
            guard let found = try repositories.deliveries.find(id), matches(found) else { return nil }
            guard try PendingDeliveries(repositories).hasContent(of: found) else {
                throw CommandError("The request that the delivery \(id) is about is not kept any more.")
            }
            return try repositories.deliveries.replay(id, at: now, lifetime: DeliveryTimes.webhookLifetime)
        }
        guard let replayed else { throw CommandError("There is no \(words).") }
        return CommandOutput(replayed.members, "The delivery \(id) is sent again.")
    }
}

/// Without words, numbers and addresses.
extension Delivery: ListableNoun {
    static let none = "No deliveries."

    static var columns: Columns<Self> {
        [
            "id": \.id.rawValue, "kind": \.kind, "made": { $0.made.formatted(.iso8601) },
            "attempts": { "\($0.attempts)" }, "state": \.stateWords,
        ]
    }

    var members: OutputMembers {
        [
            "id": id.rawValue, "kind": kind, "request": request?.rawValue, "made": made, "due": due,
            "attempts": attempts, "state": stateWords,
        ]
    }

    private var stateWords: String {
        switch state {
        case .waiting: "waiting"
        case .delivered: "delivered"
        case .failed(let failure, at: _): "failed: \(failure.rawValue)"
        }
    }
}
