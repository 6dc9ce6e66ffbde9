/// The outcome of one attempt to send something.
public enum DeliveryOutcome: Sendable, Equatable {
    /// It was accepted.
    case accepted
    /// It is refused for good; the reason is for the log.
    case rejected(String)
    /// The app is not on that device any more; the reason is for the log.
    case deadAddress(String)
    /// It was sent, and the answer was lost: it may have been accepted. It is not sent again, since each text message
    /// costs money; the reason is for the log.
    case unknown(String)
    /// It may be accepted later, in so many seconds at the earliest if the other side said when; the reason is for the
    /// log.
    case retry(String, after: Int? = nil)
}
