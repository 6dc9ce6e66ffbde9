public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A limit was reached that many share, as the operator's webhook is told of it.
///
/// It is told once in a span of the limit.
public struct LimitAlarm: Sendable, Equatable {
    /// The limit, by its name in the settings.
    public let limit: String
    /// The client whose limit it is; `nil` for a limit of all together.
    public let client: ClientID?
    /// The time when it was reached, in whole seconds.
    public let reached: Date
    /// The time when counting starts again at zero, in whole seconds.
    public let ends: Date

    /// Describes an alarm.
    public init(of limit: String, client: ClientID?, reached: Date, ends: Date) {
        self.limit = limit
        self.client = client
        self.reached = Date(timeIntervalSince1970: reached.timeIntervalSince1970.rounded(.down))
        self.ends = Date(timeIntervalSince1970: ends.timeIntervalSince1970.rounded(.down))
    }
}

extension LimitAlarm: Codable {
    private enum Kind: String, Codable {
        case limitReached = "limit_reached"
    }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case limit
        case client = "client_id"
        case reached = "time"
        case ends
    }

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        _ = try members.decode(Kind.self, forKey: .kind)
        self.init(
            of: try members.decode(String.self, forKey: .limit),
            client: try members.decodeIfPresent(String.self, forKey: .client).map { ClientID(rawValue: $0) },
            reached: Date(named: try members.decode(Int.self, forKey: .reached)),
            ends: Date(named: try members.decode(Int.self, forKey: .ends))
        )
    }

    /// Writes the members of the webhook's token.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(Kind.limitReached, forKey: .kind)
        try members.encode(limit, forKey: .limit)
        try members.encodeIfPresent(client?.rawValue, forKey: .client)
        try members.encode(Int(reached.timeIntervalSince1970), forKey: .reached)
        try members.encode(Int(ends.timeIntervalSince1970), forKey: .ends)
    }
}
