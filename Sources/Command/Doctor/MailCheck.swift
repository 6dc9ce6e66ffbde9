internal import Configuration
internal import Countersign
internal import CountersignServer
internal import Foundation

/// Checks how mails are sent. Settings that keep the server from starting are found by ``SettingsCheck``.
struct MailCheck {
    private let settings: ConfigReader

    private static let subject = "mail"

    init(_ settings: ConfigReader) {
        self.settings = settings
    }

    var findings: [Finding] {
        let delivery = DeliveryConfiguration(settings)
        return switch delivery.mailGateway {
        case "off": []
        case "outbox":
            [
                .notice(
                    Self.subject, "Mails are only stored in \(DeliveryConfiguration.outbox(settings)).",
                    "For people's mail, name a gateway with --mail.")
            ]
        case "sendmail":
            [.fine(Self.subject, "through \(delivery.mailProgram)")]
        case let gateway:
            [.fine(Self.subject, "through \(settings.string(forKey: "mail-host") ?? gateway)")]
        }
    }
}
