internal import CountersignServer
internal import Foundation

/// The settings of text messages, push messages and telephone numbers, and of the webhook for new devices.
///
/// ``DeliveryConfiguration`` reads those of gateways and services, which take several settings each.
enum PhoneSettings: SettingSection {
    static let settings = [
        Setting(
            "sms", takes: "gateway",
            "Who sends text messages: outbox (files on this machine, see admin outbox), cm, twilio, or off. (default: outbox)"
        ),
        Setting(
            "sms-credentials", takes: "file",
            "A file with the gateway's secret: a product token for cm; account:token or account:key:secret for twilio.",
            form: .secretFile(replacedBy: "sms-secret"), needs: "sms"),
        Setting(
            "sms-sender", takes: "name",
            "What telephones show as the sender: at most 11 letters and digits, a number, or a messaging service of Twilio.",
            needs: "sms"),
        Setting(
            "sms-host", takes: "url",
            "Another address of the gateway, without a path. (default: that of the gateway)", needs: "sms"),
        Setting(
            "apns-key", takes: "file",
            "The file with the key for push messages to Apple's systems (.p8); needs the three options below.",
            form: .secretFile()),
        Setting("apns-key-id", takes: "id", "How Apple calls that key.", needs: "apns-key"),
        Setting("apns-team-id", takes: "id", "The team of developers at Apple.", needs: "apns-key"),
        Setting(
            "apns-topic", takes: "bundle", "The app's bundle identifier, for devices that do not say theirs.",
            needs: "apns-key"),
        Setting(
            "apns-host", takes: "url",
            "Another address for push messages to Apple's systems. (default: that of Apple)", needs: "apns-key"),
        Setting(
            "apns-sandbox-host", takes: "url",
            "The same for apps that are being developed. (default: --apns-host, or that of Apple)", needs: "apns-key"),
        Setting(
            "fcm-account", takes: "file", "The key file of a service account at Google, for push messages to Android.",
            form: .secretFile()),
        Setting(
            "fcm-host", takes: "url", "Another address for push messages to Android. (default: that of Google)",
            needs: "fcm-account"),
        Setting(
            "web-push", takes: "hosts",
            """
            The push services that messages may go to, with commas between: browsers (those of Chrome, Firefox, Safari and \
            Edge), hosts such as ntfy.sh or *.example.org for apps of UnifiedPush, or off. (default: browsers)
            """,
            form: .list),
        Setting(
            "web-push-contact", takes: "url",
            "Where their push services reach the operator, as mailto:you@example.com or https. (default: the issuer)"),
        .value(
            "phone-prefixes", takes: "digits",
            "The beginnings of the numbers to which codes are sent, with the calling code, as in 31,49. (default: all)",
            form: .list, to: \.phoneNumbers.servedPrefixes, prefixes),
        .seconds(
            "phone-move-delay",
            "How long a number waits before it moves to another person's phone, in seconds. (default: 86400)",
            in: 0...31_536_000, to: \.phoneNumbers.moveDelay),
        .truth(
            "phone-people",
            "Create an account, without a password, when a legacy phone verifies an unregistered number.",
            to: \.phoneNumbers.makesPeople),
        Setting(
            "device-webhook", takes: "url",
            "Where each new sign-in and device of a person is told: https, or http on this machine. (default: nowhere)"),
        Setting(
            "device-webhook-secret-file", takes: "file",
            "A file with the secret, of at least 32 characters, that signs what is told there.",
            form: .secretFile(), needs: "device-webhook"),
    ]

    @Sendable private static func prefixes(_ text: String) throws -> [String] {
        try text.split(separator: ",").map { part in
            let prefix = part.trimmingCharacters(in: .whitespaces).drop { $0 == "+" }
            guard !prefix.isEmpty, prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw CommandError.usage("\(prefix) is no beginning of a telephone number, as in 31 or 4917.")
            }
            return String(prefix)
        }
    }
}
