/// The way a client that asked over the back channel learns of the decision.
///
/// Standard: OpenID CIBA Core 1.0 §5 (`backchannel_token_delivery_mode`).
public enum BackchannelDeliveryMode: String, Sendable, Codable, CaseIterable {
    /// It asks the token endpoint until there is a decision.
    case poll
    /// It is notified of the decision, and then requests the token endpoint; it may poll before, too.
    case ping
    /// The tokens are sent to it.
    case push

    /// Whether the server calls the client.
    public var isNotified: Bool { self != .poll }
}
