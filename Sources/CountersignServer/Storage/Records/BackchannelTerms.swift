public import CountersignWire

/// The additional fields of a request over the back channel; stored with its exchange.
///
/// Standard: OpenID CIBA Core 1.0 §5, §7.1.
public struct BackchannelTerms: Sendable, Equatable, Codable {
    /// The way that the client learns of the decision, as it was registered when it asked.
    public let deliveryMode: BackchannelDeliveryMode
    /// The message that the person should see where they started, too; `nil` when the client sent nothing.
    public let bindingMessage: BindingMessage?

    /// Creates terms.
    public init(deliveryMode: BackchannelDeliveryMode, bindingMessage: BindingMessage?) {
        self.deliveryMode = deliveryMode
        self.bindingMessage = bindingMessage
    }
}
