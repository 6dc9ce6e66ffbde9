internal import ArgumentParser
internal import Countersign
internal import CountersignServer

/// `countersign admin device-webhook`: the deliveries of the webhook for new devices and alarms.
struct DeviceWebhookCommand: AdminAction {
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

    func output() async throws -> CommandOutput {
        let limit = try choice.checkedLimit
        guard let replay = choice.replay else {
            return Delivery.output(try await admin.read { try $0.deliveries.newDevices(limit: limit) })
        }
        return try await admin.sendAgain(Delivery.ID(replay), "call \(replay) of the webhook for new devices") {
            switch $0.content {
            case .newDevice, .limitAlarm: true
            case .text, .mail, .push, .browserPush, .webhook: false
            }
        }
    }
}
