public import FoundationEssentialsCompat

/// The times of deliveries.
public enum DeliveryTimes {
    /// The maximum duration of one call of a gateway, a push service or a customer's server.
    public static let longestCall: Duration = .seconds(10)
    /// The maximum duration of one call of a gateway for mails, which may be a program that talks to a relay.
    public static let longestMailCall: Duration = .seconds(20)
    /// The delays between the attempts at a mail, in seconds; about 80 minutes altogether, unless its expiry ends it
    /// earlier. Each is longer than an attempt.
    static let mailDelays: [TimeInterval] = [30, 30, 60, 120, 300, 600, 900, 1200, 1500, 30]
    /// The delays between the attempts at a message, in seconds; its expiry may end it earlier.
    static let messageDelays: [TimeInterval] = [15, 20, 30, 45, 60, 90, 120, 240, 480, 600]
    /// The delays between the calls of a webhook, in seconds; about 80 minutes altogether.
    static let webhookDelays: [TimeInterval] = [15, 30, 60, 120, 300, 600, 900, 1200, 1500, 15]
    /// The longest wait for a next attempt, in seconds.
    static let longestDelay = (messageDelays + mailDelays + webhookDelays).max() ?? 0
    /// The lifetime of a webhook call, in seconds.
    public static let webhookLifetime: TimeInterval = 6 * 3600
}
