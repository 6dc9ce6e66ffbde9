public import FoundationEssentialsCompat

/// The times of deliveries.
public enum DeliveryTimes {
    /// The maximum duration of one call of a gateway, a push service or a customer's server.
    public static let longestCall: Duration = .seconds(10)
    /// The delays between the attempts at a message, in seconds; its expiry may end it earlier.
    static let messageDelays: [TimeInterval] = [15, 20, 30, 45, 60, 90, 120, 240, 480, 600]
    /// The delays between the calls of a webhook, in seconds; about 80 minutes altogether.
    static let webhookDelays: [TimeInterval] = [15, 30, 60, 120, 300, 600, 900, 1200, 1500, 15]
    /// The longest wait for a next attempt, in seconds.
    static let longestDelay = max(messageDelays.max() ?? 0, webhookDelays.max() ?? 0)
    /// The lifetime of a webhook call, in seconds.
    public static let webhookLifetime: TimeInterval = 6 * 3600
}
