/// A recent decision of a person, on whichever of their devices or pages they made it.
///
/// This is an addition of Countersign.
public struct DecisionListing: Sendable, Hashable, Codable {
    /// The state of a decision; a server may name others.
    public struct Outcome: Identifier {
        /// The name in messages.
        public let rawValue: String
        /// Creates an outcome from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The person approved.
        public static let approved = Outcome("approved")
        /// The request was denied or reported.
        public static let denied = Outcome("denied")
        /// The person undid their approval.
        public static let undone = Outcome("undone")
        /// The screen gave the sign-in back within a minute of it: the person there said that it was not them.
        public static let undoneAtScreen = Outcome("undone_at_screen")
        /// The approval or its sign-in has ended otherwise, or the request has expired.
        public static let ended = Outcome("ended")
    }

    /// The request.
    public let exchange: SignInRequest.ID
    /// The name of the app that asked.
    public let clientName: String
    /// The asking screen's name for itself; `nil` when it gave none.
    public var deviceName: String?
    /// The present state.
    public let outcome: Outcome
    /// The time of that state, in seconds since 1970.
    public let since: Int
    /// The state and its place in English, as "Approved on Pixel 9."
    public let words: String
    /// The end of the time to undo it, in seconds since 1970; `nil` when it cannot be undone.
    public var undoUntil: Int?

    /// Describes a decision.
    public init(
        exchange: SignInRequest.ID,
        clientName: String,
        deviceName: String? = nil,
        outcome: Outcome,
        since: Int,
        words: String
    ) {
        self.exchange = exchange
        self.clientName = clientName
        self.deviceName = deviceName
        self.outcome = outcome
        self.since = since
        self.words = words
    }

    enum CodingKeys: String, CodingKey {
        case exchange, outcome, since, words
        case clientName = "client_name"
        case deviceName = "device_name"
        case undoUntil = "undo_until"
    }
}
