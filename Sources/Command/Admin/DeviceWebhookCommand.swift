internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin device-webhook`: what the webhook for new devices was told.
struct DeviceWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device-webhook",
        abstract: "List what the webhook for new devices was told, the newest first, or tell it once more.",
        discussion: """
            Calls are listed for a week. The webhook is set by serve --device-webhook.

            Examples:
              countersign admin device-webhook --json
              countersign admin device-webhook --replay bEo1
            """
    )

    @OptionGroup var admin: AdminOptions

    @Option(name: .long, help: ArgumentHelp("Tell this one again.", valueName: "id"))
    var replay: String?

    @Option(name: .long, help: "How many to list, from 1 to 1000. (default: 50)")
    var limit: Int?

    func run() async throws {
        try await ending {
            guard (1...1000).contains(limit ?? 50), limit == nil || replay == nil else {
                throw Failure("--limit goes from 1 to 1000, and not together with --replay.", status: .usage)
            }
            if let replay { return try await sendAgain(Delivery.ID(replay)) }
            let found = try await admin.withStore { [limit] store in
                try await store.read { try $0.deliveries.newDevices(limit: limit ?? 50) }
            }
            try ShownDelivery.list(found, by: admin)
        }
    }

    private func sendAgain(_ id: Delivery.ID) async throws {
        let now = TimeSource.system.now()
        let replayed = try await admin.withStore { store in
            try await store.change { repositories -> Delivery? in
                guard case .newDevice? = try repositories.deliveries.find(id)?.content else { return nil }
                return try repositories.deliveries.replay(id, at: now, lifetime: DeliveryTimes.webhookLifetime)
            }
        }
        guard let replayed else { throw Failure("There is no call \(id) of the webhook for new devices.") }
        try admin.print(ShownDelivery(replayed), or: "The delivery \(id) is sent again.")
    }
}
