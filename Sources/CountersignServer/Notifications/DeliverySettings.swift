/// By what a server reaches phones, and the operator's webhook.
public struct DeliverySettings: Sendable {
    /// Sends text messages; `nil` when none can be sent.
    public var gateway: (any SMSGateway)?
    /// Brings push messages, each service its own kind of address; without any, apps wait for requests by themselves.
    public var pushServices: [any PushService]
    /// The webhook that is told of each new device; `nil` for none.
    public var deviceWebhook: DeviceWebhook?

    /// Settings of a server.
    public init(
        gateway: (any SMSGateway)? = nil,
        pushServices: [any PushService] = [],
        deviceWebhook: DeviceWebhook? = nil
    ) {
        self.gateway = gateway
        self.pushServices = pushServices
        self.deviceWebhook = deviceWebhook
    }
}
