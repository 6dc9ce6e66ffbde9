/// The outcome of one attempt of a delivery.
public enum DeliveryOutcome: Sendable, Equatable {
    /// It was accepted.
    case accepted
    /// It is refused permanently; the reason is for the log.
    case rejected(String)
    /// The app is no longer on that device; the reason is for the log.
    case deadAddress(String)
    /// The answer was lost, so it may have been accepted. It is not sent again, since each text message costs money;
    /// the reason is for the log.
    case unknown(String)
    /// It may be accepted later; `after` is the earliest time in seconds, if the receiver stated it. The reason is for
    /// the log.
    case retry(String, after: Int? = nil)
}
