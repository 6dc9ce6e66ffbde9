public import Countersign
public import CountersignWire

/// The credentials that an app gets for a person by reverse authentication.
public struct ReverseAuthCredentials: Sendable, Equatable {
    /// The person's identifier at the provider: digits, often more than a number of JavaScript can hold.
    public let id: String
    /// The person's name.
    public let name: String
    /// The name that others mention the person by.
    public let screenName: String
    /// The tokens of the app for the person.
    public let token: TokenCredentials
    /// The person's e-mail address; `nil` if unknown.
    public let email: String?
    /// The address of the person's picture, of 400 by 400 pixels where the provider has that.
    public let avatar: String
    /// The app's own credentials, which every use of the token needs.
    let client: ClientCredentials

    /// Signs further requests of the app for the person.
    ///
    /// - Parameters:
    ///   - clock: The clock for timestamps.
    ///   - random: The source of nonces.
    /// - Returns: A signer with both pairs of credentials.
    public func signer(clock: TimeSource, drawingFrom random: RandomSource) -> OAuth1Signer {
        OAuth1Signer(as: client, for: token, clock: clock, drawingFrom: random)
    }
}

/// The profile as the provider writes it.
struct ReverseAuthProfile: Decodable, Sendable {
    /// Text, since the number exceeds the precision of other readers.
    let id: String
    let name: String
    let screenName: String
    let avatar: String
    let email: String?

    enum CodingKeys: String, CodingKey {
        case id = "id_str"
        case name
        case screenName = "screen_name"
        case avatar = "profile_image_url_https"
        case email
    }

    /// The address of the large picture.
    var largeAvatar: String { Self.large(avatar) }

    /// The address of a large picture: that of the small one with another size suffix, if it has one.
    static func large(_ avatar: String) -> String {
        var large = avatar
        if let place = large.firstRange(of: "_normal.") { large.replaceSubrange(place, with: "_400x400.") }
        return large
    }
}
