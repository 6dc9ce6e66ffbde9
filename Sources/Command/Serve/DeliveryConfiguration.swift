internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

/// Reads the settings for messages and for the webhook of new devices.
struct DeliveryConfiguration {
    /// The directory of the outbox, in that of the embedded database.
    static let outbox = "outbox"

    let settings: ConfigReader
    /// Makes a span of each call of Apple's service; `nil` when there are none.
    private let tracing: ServerTracing?

    init(_ settings: ConfigReader, tracing: ServerTracing? = nil) {
        self.settings = settings
        self.tracing = tracing
    }

    /// The directory of the outbox.
    static func outbox(_ settings: ConfigReader) -> String {
        DataLocation(settings).directory.appendingPathComponent(outbox).path
    }

    /// The services that reach people.
    ///
    /// - Parameters:
    ///   - name: The name of the sender of mails.
    ///   - transport: The network.
    ///   - clock: The time.
    /// - Throws: a ``CommandError`` for settings that cannot be used.
    func delivery(from name: String, over transport: any HTTPTransport, clock: TimeSource) throws -> DeliverySettings {
        // Apple requires HTTP/2; all other services are called over HTTP/1.1.
        let services: [(any PushService)?] = [
            try apple(over: SystemTransport.makeOfferingHTTP2().traced(by: tracing), clock: clock),
            try google(over: transport, clock: clock),
        ]
        return DeliverySettings(
            gateway: try gateway(over: transport, clock: clock),
            mailGateway: try mail(from: name, over: transport, clock: clock),
            pushServices: services.compactMap(\.self),
            webPush: try webPush,
            deviceWebhook: try deviceWebhook
        )
    }

    /// The webhook for new devices; `nil` for none.
    ///
    /// - Throws: a ``CommandError`` for settings that cannot be used.
    var deviceWebhook: DeviceWebhook? {
        get throws {
            guard let address = settings.string(forKey: "device-webhook") else { return nil }
            if let objection = NotificationAddress.objection(to: address, isSelfRegistered: false) {
                throw CommandError.usage("The address \(address) of device-webhook cannot be called: \(objection)")
            }
            let path = try settings.string(forKey: "device-webhook-secret-file").or(
                usage: "--device-webhook needs a secret: name the file that has it with --device-webhook-secret-file.")
            let text = try contents(path, "device-webhook-secret-file")
            let secret = WebhookSecret(revealing: text.trimmingCharacters(in: .whitespacesAndNewlines))
            return try DeviceWebhook(at: address, secret: secret).or(
                failure: "The secret in \(path) has less than \(WebhookSecret.least) characters.")
        }
    }

    // MARK: Text messages

    private func gateway(over transport: any HTTPTransport, clock: TimeSource) throws -> (any SMSGateway)? {
        let name = settings.string(forKey: "sms") ?? "outbox"
        switch name {
        case "off":
            return nil
        case "outbox":
            return OutboxGateway(at: Self.outbox(settings), clock: clock)
        case "cm":
            let token = try secret(for: name, in: "sms")
            let address = settings.string(forKey: "sms-host").map { "\($0)/v1.0/message" } ?? CMGateway.standardAddress
            return CMGateway(
                try endpoint(address, "sms-host"),
                token: GatewayCredential(revealing: token),
                sender: try sender(for: name),
                over: transport
            )
        case "twilio":
            let parts = try secret(for: name, in: "sms").split(separator: ":").map(String.init)
            guard (2...3).contains(parts.count), let account = parts.first, let secret = parts.last else {
                throw CommandError("The credentials for twilio are account:token, or account:key:secret.")
            }
            return try TwilioGateway(
                try address("sms-host") ?? TwilioGateway.standardBase,
                account: account,
                key: parts.count == 3 ? parts[1] : nil,
                secret: GatewayCredential(revealing: secret),
                sender: try sender(for: name),
                clock: clock,
                over: transport
            )
        default:
            let known = Suggestion(from: ["outbox", "cm", "twilio", "off"])
            throw known.refusal("The setting sms is \(known.choice); not \(name).", of: name)
        }
    }

    private func sender(for gateway: String) throws -> String {
        try settings.string(forKey: "sms-sender").flatMap { $0.isEmpty ? nil : $0 }.or(
            usage: "Sending through \(gateway) needs a sender: name it with --sms-sender.")
    }

    /// The secret of a gateway, from its file or from the environment.
    ///
    /// - Parameters:
    ///   - gateway: The name of the gateway.
    ///   - kind: The beginning of the keys of its settings: `sms` or `mail`.
    func secret(for gateway: String, in kind: String) throws -> String {
        let key = "\(kind)-credentials"
        let variable = Setting.variable("\(kind)-secret")
        let file = try settings.string(forKey: ConfigKey(key)).map { try contents($0, key) }
        let given = try (file ?? StoreOptions.environment[variable]).or(
            usage:
                "Sending through \(gateway) needs its secret: name the file that has it with --\(key), or set \(variable)."
        )
        let secret = given.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw CommandError("The secret for \(gateway) is empty.") }
        return secret
    }

    // MARK: Push messages

    private func apple(over transport: any HTTPTransport, clock: TimeSource) throws -> ApplePushService? {
        guard let path = settings.string(forKey: "apns-key") else { return nil }
        guard let key = settings.string(forKey: "apns-key-id"), let team = settings.string(forKey: "apns-team-id"),
            let topic = settings.string(forKey: "apns-topic")
        else { throw CommandError.usage("--apns-key needs --apns-key-id, --apns-team-id and --apns-topic.") }
        var hosts = ApplePushService.Hosts()
        if let host = try address("apns-host") { hosts = ApplePushService.Hosts(production: host, sandbox: host) }
        if let host = try address("apns-sandbox-host") { hosts.sandbox = host }
        let pem = try contents(path, "apns-key")
        do {
            return try ApplePushService(
                pem: pem, keyID: key, team: team, topic: topic, hosts: hosts, clock: clock, over: transport)
        } catch {
            throw CommandError("The file \(path) of apns-key holds no key on P-256, as Apple gives them out.")
        }
    }

    private func google(over transport: any HTTPTransport, clock: TimeSource) throws -> GooglePushService? {
        guard let path = settings.string(forKey: "fcm-account") else { return nil }
        let bytes = try file(path, "fcm-account")
        let base = try address("fcm-host") ?? GooglePushService.standardBase
        do {
            return try GooglePushService(try GoogleServiceAccount(bytes), at: base, clock: clock, over: transport)
        } catch {
            throw CommandError("The file \(path) of fcm-account cannot be used: \(error).")
        }
    }

    /// The rules for push messages to browsers and to apps of UnifiedPush; `nil` for none.
    private var webPush: WebPushSettings? {
        get throws {
            let browsers = "browsers"
            let text = settings.string(forKey: "web-push") ?? browsers
            guard text != "off" else { return nil }
            let hosts = try Setting.list(
                text, orSay: "is no push service, as in browsers, ntfy.sh or *.example.org; off alone is for none."
            ) { $0 == browsers ? WebPushHost.browsers : WebPushHost(parsing: $0).map { [$0] } }
            guard !hosts.isEmpty else {
                throw CommandError.usage("The setting web-push names no push service; off is for none.")
            }
            let contact = settings.string(forKey: "web-push-contact")
            guard contact.map(Self.isContact) ?? true else {
                throw CommandError.usage(
                    "The setting web-push-contact is mailto: with an address, or an https address; not \(contact ?? "")."
                )
            }
            return WebPushSettings(hosts: hosts.flatMap(\.self), contact: contact)
        }
    }

    /// Whether push services take a text as the contact of an operator.
    ///
    /// Standard: RFC 8292 §2.1.
    private static func isContact(_ text: String) -> Bool {
        guard text.hasPrefix("mailto:") else { return text.hasPrefix("https://") && (try? Endpoint(text)) != nil }
        return EmailAddress(parsing: String(text.dropFirst("mailto:".count))) != nil
    }

    private func contents(_ path: String, _ key: String) throws -> String {
        try SuppliedText.text(file(path, key), of: "The file \(path) of \(key)")
    }

    private func file(_ path: String, _ key: String) throws -> Data {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 65_536 else {
            throw CommandError("The file \(path) of \(key) cannot be read.")
        }
        return bytes
    }

    /// The https address that a setting names; `nil` when it is not set.
    func address(_ key: String) throws -> String? {
        guard let address = settings.string(forKey: ConfigKey(key)) else { return nil }
        _ = try endpoint(address, key)
        return address
    }

    private func endpoint(_ address: String, _ key: String) throws -> Endpoint {
        try (try? Endpoint(address)).or(usage: "The address \(address) of \(key) is no https address.")
    }
}
