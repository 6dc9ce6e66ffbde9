public import FoundationEssentialsCompat

/// A request to a person, as a device and the customer's server read it.
///
/// The form is that of CM Authenticator SDK 4.0.
public struct AuthenticationRequest: Sendable, Equatable, Codable {
    /// Identifies a request.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The requested kind of answer.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// They read a one-time password, and type it at the customer's site.
        case oneTimePassword = "otp"
        /// They approve or deny it.
        case instant
    }

    /// The way the person is notified of it.
    public enum MessageType: String, Sendable, Hashable, Codable, CaseIterable {
        /// Push if there is a device, else SMS.
        case automatic = "auto"
        /// Push alone.
        case push
        /// SMS alone.
        case sms
    }

    /// The status of the request.
    public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// It waits for its person.
        case open
        /// Its person approved, or typed the right password.
        case approved
        /// Its person denied it, or typed a wrong password too often.
        case denied
        /// It has expired.
        case expired
        /// It could not be delivered.
        case failed
    }

    /// The probable place of an address.
    public struct Location: Sendable, Equatable, Codable {
        /// The country, by ISO 3166.
        public var countryCode: String?
        /// The region of the country.
        public var region: String?
        /// The town.
        public var city: String?
        /// Degrees north of the equator.
        public var latitude: Double?
        /// Degrees east of Greenwich.
        public var longitude: Double?

        /// An unknown place.
        public init() {}

        /// The place in words, the town first; `nil` when no name is known.
        public var name: String? {
            let names = [city, region, countryCode].compactMap(\.self).filter { !$0.isEmpty }
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }

        /// The longest name of a region or a town, in characters.
        private static let longestName = 100

        /// Whether its names are short lines, and its degrees are on earth.
        var isPresentable: Bool {
            [countryCode, region, city].compactMap(\.self).allSatisfy {
                DeviceAuthorizationRequest.presentable($0, upTo: Self.longestName) == $0
            } && (-90...90).contains(latitude ?? 0) && (-180...180).contains(longitude ?? 0)
        }

        enum CodingKeys: String, SnakeCaseKey { case countryCode, region, city, latitude, longitude }
    }

    /// The request.
    public var id: ID
    /// The requested kind of answer.
    public var kind: Kind
    /// The status of the request; devices of the first kind of app do not read it.
    public var status: Status?
    /// The lifetime, in seconds from ``created``.
    public var expiry: Int
    /// The one-time password; `nil` for requests to approve, and for devices that may not see it.
    public var pin: String?
    /// The network address of the person who signs in, asserted by the customer's server.
    public var address: String?
    /// The place of that address.
    public var place: Location?
    /// The creation time.
    @Member<ZonedTime> public var created: Date
    /// The address of a QR code that registers a device in the site; `nil` for a person who has such a device.
    public var invitation: String?
    /// The digits that the site shows, and that the person types at their device to approve; `nil` when there are none.
    /// Devices of the legacy protocol do not get them.
    public var number: String?

    /// Describes a request.
    public init(id: ID, kind: Kind, expiry: Int, created: Date) {
        self.id = id
        self.kind = kind
        self.expiry = expiry
        self.created = created
    }

    /// The time when it can no longer be answered, by the server's clock.
    public var deadline: Date { created.addingTimeInterval(Double(expiry)) }

    enum CodingKeys: String, CodingKey {
        case id, expiry, number, pin
        case kind = "auth_type"
        case status = "auth_status"
        case address = "ip"
        case place = "geoip"
        case created = "created_at"
        case invitation = "qr_url"
    }
}

/// Instants in the form of the legacy protocol: `2017-09-26T13:35:25+0000`. They may be read with the zone as `+00:00`
/// or `Z`, and with fractions of a second.
///
/// Standard: ISO 8601, extended form with a zone in basic form.
public enum ZonedTime: MemberForm {
    private static let written = Date.ISO8601FormatStyle(timeZoneSeparator: .omitted)

    public static func read(from decoder: any Decoder) throws -> Date {
        let value = try decoder.singleValueContainer()
        guard let date = date(of: try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date")
        }
        return date
    }

    public static func write(_ value: Date, to encoder: any Encoder) throws { try text(of: value).encode(to: encoder) }

    /// The text of an instant, in UTC.
    static func text(of date: Date) -> String {
        let text = written.format(date)
        return text.hasSuffix("Z") ? "\(text.dropLast())+0000" : text
    }

    /// The instant of a text; `nil` when it is none.
    static func date(of text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        // Fractions and the form of the zone do not matter.
        var parts = text
        if let dot = parts.firstIndex(of: "."),
            let end = parts[dot...].dropFirst().firstIndex(where: { !$0.isNumber })
        {
            parts.removeSubrange(dot..<end)
        }
        let zone = parts.suffix(6)
        if zone.count == 6, zone.first == "+" || zone.first == "-",
            let colon = zone.firstIndex(of: ":"), zone.distance(from: zone.startIndex, to: colon) == 3
        {
            parts.remove(at: colon)
        }
        if parts.hasSuffix("Z") { parts = "\(parts.dropLast())+0000" }
        return try? Date(parts, strategy: written)
    }
}
