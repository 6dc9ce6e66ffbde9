/// By what a server reaches phones.
public struct DeliverySettings: Sendable {
    /// Sends text messages; `nil` when none can be sent.
    public var gateway: (any SMSGateway)?
    /// Brings push messages, each service its own kind of address; without any, apps wait for requests by themselves.
    public var pushServices: [any PushService]

    /// Settings of a server.
    ///
    /// - Parameters:
    ///   - gateway: Sends text messages; `nil`, the default, when none can be sent.
    ///   - pushServices: Brings push messages; none by default.
    public init(gateway: (any SMSGateway)? = nil, pushServices: [any PushService] = []) {
        self.gateway = gateway
        self.pushServices = pushServices
    }
}
