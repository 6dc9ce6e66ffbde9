internal import ArgumentParser

/// The options for reaching phones by text messages and push messages, and for telling of new devices.
struct DeliveryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Who sends text messages: outbox (files on this machine, see admin outbox), cm, twilio, or off. (default: outbox)",
            discussion: "Key sms, environment COUNTERSIGN_SMS.",
            valueName: "gateway"
        )
    )
    var sms: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A file with the gateway's secret: a product token for cm; account:token or account:key:secret for twilio.
            """,
            discussion: """
                Key sms-credentials, environment COUNTERSIGN_SMS_CREDENTIALS. In place of the file, the environment \
                variable COUNTERSIGN_SMS_SECRET may hold the secret itself.
                """,
            valueName: "file"
        )
    )
    var smsCredentials: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What telephones show as the sender: at most 11 letters and digits, a number, or a messaging service of Twilio.",
            discussion: "Key sms-sender, environment COUNTERSIGN_SMS_SENDER.",
            valueName: "name"
        )
    )
    var smsSender: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Another address of the gateway, without a path. (default: that of the gateway)",
            discussion: "Key sms-host, environment COUNTERSIGN_SMS_HOST.",
            valueName: "url"
        )
    )
    var smsHost: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file with the key for push messages to Apple's systems (.p8); needs the three options below.",
            discussion: "Key apns-key, environment COUNTERSIGN_APNS_KEY.",
            valueName: "file"
        )
    )
    var apnsKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How Apple calls that key.",
            discussion: "Key apns-key-id, environment COUNTERSIGN_APNS_KEY_ID.",
            valueName: "id"
        )
    )
    var apnsKeyID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The team of developers at Apple.",
            discussion: "Key apns-team-id, environment COUNTERSIGN_APNS_TEAM_ID.",
            valueName: "id"
        )
    )
    var apnsTeamID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app's bundle identifier, for devices that do not say theirs.",
            discussion: "Key apns-topic, environment COUNTERSIGN_APNS_TOPIC.",
            valueName: "bundle"
        )
    )
    var apnsTopic: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Another address for push messages to Apple's systems. (default: that of Apple)",
            discussion: "Key apns-host, environment COUNTERSIGN_APNS_HOST.",
            valueName: "url"
        )
    )
    var apnsHost: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The same for apps that are being developed. (default: --apns-host, or that of Apple)",
            discussion: "Key apns-sandbox-host, environment COUNTERSIGN_APNS_SANDBOX_HOST.",
            valueName: "url"
        )
    )
    var apnsSandboxHost: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The key file of a service account at Google, for push messages to Android.",
            discussion: "Key fcm-account, environment COUNTERSIGN_FCM_ACCOUNT.",
            valueName: "file"
        )
    )
    var fcmAccount: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Another address for push messages to Android. (default: that of Google)",
            discussion: "Key fcm-host, environment COUNTERSIGN_FCM_HOST.",
            valueName: "url"
        )
    )
    var fcmHost: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The beginnings of the numbers to which codes are sent, with the calling code, as in 31,49. (default: all)",
            discussion: "Key phone-prefixes, which may be a list; environment COUNTERSIGN_PHONE_PREFIXES.",
            valueName: "digits"
        )
    )
    var phonePrefixes: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a number waits before it moves to another person's phone, in seconds. (default: 86400)",
            discussion: "Key phone-move-delay, environment COUNTERSIGN_PHONE_MOVE_DELAY.",
            valueName: "seconds"
        )
    )
    var phoneMoveDelay: Int?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Create an account, without a password, when a legacy phone verifies an unregistered number.",
            discussion: "Key phone-people, environment COUNTERSIGN_PHONE_PEOPLE."
        )
    )
    var phonePeople = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where each new sign-in and device of a person is told: https, or http on this machine. (default: nowhere)",
            discussion: "Key device-webhook, environment COUNTERSIGN_DEVICE_WEBHOOK.",
            valueName: "url"
        )
    )
    var deviceWebhook: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the secret, of at least 32 characters, that signs what is told there.",
            discussion: "Key device-webhook-secret-file, environment COUNTERSIGN_DEVICE_WEBHOOK_SECRET_FILE.",
            valueName: "file"
        )
    )
    var deviceWebhookSecretFile: String?

    /// The options of the command line, by the keys of the settings.
    var flags: [String: String?] {
        [
            "device-webhook": deviceWebhook,
            "device-webhook-secret-file": deviceWebhookSecretFile,
            "sms": sms,
            "sms-credentials": smsCredentials,
            "sms-sender": smsSender,
            "sms-host": smsHost,
            "apns-key": apnsKey,
            "apns-key-id": apnsKeyID,
            "apns-team-id": apnsTeamID,
            "apns-topic": apnsTopic,
            "apns-host": apnsHost,
            "apns-sandbox-host": apnsSandboxHost,
            "fcm-account": fcmAccount,
            "fcm-host": fcmHost,
            "phone-prefixes": phonePrefixes,
            "phone-move-delay": phoneMoveDelay.map(String.init),
            "phone-people": phonePeople ? "true" : nil,
        ]
    }
}
