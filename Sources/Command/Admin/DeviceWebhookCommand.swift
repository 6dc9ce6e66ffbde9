internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin device-webhook`: what the webhook for new devices and alarms was told.
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

    @OptionGroup var choice: DeliveryChoice

    func run() async throws {
        try await ending {
            let limit = try choice.checkedLimit
            if let replay = choice.replay { return try await sendAgain(Delivery.ID(replay)) }
            let found = try await admin.withStore { store in
                try await store.read { try $0.deliveries.newDevices(limit: limit) }
            }
            try ShownDelivery.list(found, by: admin)
        }
    }

    private func sendAgain(_ id: Delivery.ID) async throws {
        let isSent = try await admin.sendAgain(id) { delivery in
            switch delivery.content {
            case .newDevice, .limitAlarm: true
            case .text, .push, .webhook: false
            }
        }
        guard isSent else { throw Failure("There is no call \(id) of the webhook for new devices.") }
    }
}
