/// The message of a customer's server that opens a request.
///
/// The form is that of the backend API of CM Authenticator; ``text`` and ``place`` are additions of ours.
package struct AuthenticationRequestOpening: Sendable, Equatable, Codable {
    /// The longest text, in characters.
    package static let longestText = 200
    /// The possible lifetimes of a request, in seconds.
    package static let lifetimes = 10...3600

    package var environment: CustomerSiteID
    /// The telephone number of the person, in the international form.
    package var number: String
    /// The lifetime of the request, in seconds; 60 when it is omitted.
    package var expiry: Int
    /// The network address of the person who signs in.
    package var address: String?
    /// The place of that address, asserted by the site.
    package var place: AuthenticationRequest.Location?
    /// The way the request reaches its person.
    package var messageType: AuthenticationRequest.MessageType
    /// The question to the person, in the words of the site.
    package var text: String?

    /// Describes a request to open.
    package init(
        environment: CustomerSiteID,
        number: String,
        expiry: Int = 60,
        address: String? = nil,
        place: AuthenticationRequest.Location? = nil,
        messageType: AuthenticationRequest.MessageType = .automatic,
        text: String? = nil
    ) {
        self.environment = environment
        self.number = number
        self.expiry = expiry
        self.address = address
        self.place = place
        self.messageType = messageType
        self.text = text
    }

    enum CodingKeys: String, SnakeCaseKey {
        case expiry, text, messageType
        case environment = "environment_id"
        case number = "to"
        case address = "ip"
        case place = "geoip"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ key: CodingKeys, _ problem: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: problem)
        }
        guard let id = CustomerSiteID(parsing: try fields.decode(String.self, forKey: .environment)) else {
            throw wrong(.environment, "no UUID")
        }
        environment = id
        number = try fields.decode(String.self, forKey: .number)
        expiry = try fields.decodeIfPresent(Int.self, forKey: .expiry) ?? 60
        address = try fields.decodeIfPresent(String.self, forKey: .address)
        place = try fields.decodeIfPresent(AuthenticationRequest.Location.self, forKey: .place)
        messageType =
            try fields.decodeIfPresent(AuthenticationRequest.MessageType.self, forKey: .messageType) ?? .automatic
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        guard number.utf8.count <= 64 else { throw wrong(.number, "too long") }
        guard Self.lifetimes.contains(expiry) else { throw wrong(.expiry, "from 10 to 3600 seconds") }
        if let address, AddressNetwork.bytes(of: address) == nil { throw wrong(.address, "no network address") }
        if let place, !place.isPresentable { throw wrong(.place, "no place on earth, or too long") }
        if let text, DeviceAuthorizationRequest.presentable(text, upTo: Self.longestText) != text {
            throw wrong(.text, "up to 200 characters in one line")
        }
    }
}

/// A one-time password that a person typed at the customer's site, as its server sends it to be checked.
package struct PasswordCheck: Sendable, Equatable, Codable {
    /// The text that the person typed.
    package var pin: String

    /// Describes a check.
    package init(pin: String) { self.pin = pin }
}

/// A legacy device's answer to a request.
package struct LegacyAnswer: Sendable, Equatable, Codable {
    /// The choice of the person.
    package var status: AuthenticationRequest.Status

    /// Describes an answer.
    package init(status: AuthenticationRequest.Status) { self.status = status }

    enum CodingKeys: String, CodingKey { case status = "auth_status" }
}
