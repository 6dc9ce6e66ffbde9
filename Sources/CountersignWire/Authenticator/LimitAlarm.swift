public import FoundationEssentialsCompat

/// The webhook notification of a shared limit that was reached.
///
/// It is sent once per span of the limit.
public struct LimitAlarm: Sendable, Equatable, Codable {
    /// The limit, by its name in the settings.
    public let limit: String
    /// The client whose limit it is; `nil` for a limit of all together.
    public let client: ClientID?
    /// The time when it was reached, in whole seconds.
    @Member<WholeInstant> public private(set) var reached: Date
    /// The time when counting starts again at zero, in whole seconds.
    @Member<WholeInstant> public private(set) var ends: Date
    private var kind = Kind.limitReached

    /// Describes an alarm.
    public init(of limit: String, client: ClientID?, reached: Date, ends: Date) {
        self.limit = limit
        self.client = client
        self.reached = Date(timeIntervalSince1970: reached.timeIntervalSince1970.rounded(.down))
        self.ends = Date(timeIntervalSince1970: ends.timeIntervalSince1970.rounded(.down))
    }

    private enum Kind: String, Codable {
        case limitReached = "limit_reached"
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case limit, ends
        case kind = "event"
        case client = "client_id"
        case reached = "time"
    }
}

/// The form of an instant as whole seconds since 1970; fractions are dropped.
public enum WholeInstant: MemberForm {
    public static func read(from decoder: any Decoder) throws -> Date { Date(named: try Int(from: decoder)) }

    public static func write(_ value: Date, to encoder: any Encoder) throws {
        try Int(value.timeIntervalSince1970).encode(to: encoder)
    }
}
