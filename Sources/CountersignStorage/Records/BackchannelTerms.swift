/// The additional fields of a request over the back channel; stored with its exchange.
///
/// Standard: OpenID CIBA Core 1.0 §5, §7.1.
public struct BackchannelTerms: Sendable, Equatable, Codable {
    /// The delivery mode of the decision, as it was registered at the request.
    public let deliveryMode: BackchannelDeliveryMode
    /// The message that both sides show to the person; `nil` when the client sent none.
    public let bindingMessage: BindingMessage?
    /// The number that the client shows and the person types to approve, with the misses so far; `nil` for none. It is
    /// stored separately, because it changes.
    public package(set) var number: NumberToMatch?

    private enum CodingKeys: String, CodingKey {
        case deliveryMode, bindingMessage
    }

    /// Creates terms.
    public init(deliveryMode: BackchannelDeliveryMode, bindingMessage: BindingMessage?, number: NumberToMatch? = nil) {
        self.deliveryMode = deliveryMode
        self.bindingMessage = bindingMessage
        self.number = number
    }
}
