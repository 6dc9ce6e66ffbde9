internal import FoundationEssentialsCompat

/// The program that asks to act for a person, in the answer to a look.
public struct LookService: Sendable, Hashable, Codable {
    /// Its purpose in its own words.
    public let purpose: String
    /// The end that it wishes, in seconds since 1970.
    public let until: Int

    /// Describes a service.
    public init(_ service: GuestService) {
        purpose = service.purpose
        until = service.ends.numericDate
    }

    /// The service itself, with its purpose made safe to show: `?` where nothing is left of that.
    public var service: GuestService {
        GuestService(purpose: GuestService.purpose(parsing: purpose) ?? "?", ends: Date(named: until))
    }
}
