/// The gateways, the push services and the operator's webhook.
public struct DeliverySettings: Sendable {
    /// The gateway for text messages; `nil` for none.
    public var gateway: (any SMSGateway)?
    /// The gateway for mails; `nil` for none, and no page offers anything by mail.
    public var mailGateway: (any MailGateway)?
    /// The push services, one for each kind of address; without any, apps poll for requests.
    public var pushServices: [any PushService]
    /// The rules for push messages by UnifiedPush and Web Push, which need no account at a service; `nil` for none.
    public var webPush: WebPushSettings?
    /// The webhook for new devices and limits; `nil` for none.
    public var deviceWebhook: DeviceWebhook?

    /// Creates settings.
    public init(
        gateway: (any SMSGateway)? = nil, mailGateway: (any MailGateway)? = nil,
        pushServices: [any PushService] = [], webPush: WebPushSettings? = WebPushSettings(),
        deviceWebhook: DeviceWebhook? = nil
    ) {
        self.gateway = gateway
        self.mailGateway = mailGateway
        self.pushServices = pushServices
        self.webPush = webPush
        self.deviceWebhook = deviceWebhook
    }
}
