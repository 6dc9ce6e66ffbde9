public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A screen or app that was signed in, or a device that was added, as the operator's webhook is told of it: identifiers
/// only, no token and no code.
public struct NewDevice: Sendable, Equatable {
    /// A new sign-in or device.
    public enum Addition: Sendable, Equatable {
        /// A screen or app was signed in; its tokens carry this identifier.
        case signIn(Grant.ID)
        /// A device was added that answers requests for the person.
        case device(DeviceRegistration.ID)
    }

    /// The way a sign-in or device was added.
    public enum Way: String, Sendable, Hashable, CaseIterable {
        /// A person typed the code that the screen shows.
        case code
        /// A person came by the link or QR code of the screen.
        case link
        /// The phone of a person nearby.
        case nearby
        /// A browser led back to the app that asks.
        case browser
        /// The provider's own app led back to the app that asks.
        case appToApp = "app_to_app"
        /// A client that named the person, over the back channel (OpenID CIBA).
        case backChannel = "back_channel"
        /// Cross-Platform Authentication (ETSI TS 103 407).
        case crossPlatform = "cross_platform"
        /// Automatic sign-on, because of an earlier sign-in.
        case automatic
        /// A token of another provider was exchanged.
        case tokenExchange = "token_exchange"
        /// A ticket was presented that the person made beforehand.
        case ticket
        /// An app registered the device of its sign-in.
        case enrollment
        /// A device of the older dialect proved the telephone number of the person.
        case phoneNumber = "phone_number"
    }

    /// The new sign-in or device.
    public let addition: Addition
    /// The person.
    public let subject: Subject
    /// The client that was signed in; `nil` for a device that has no sign-in.
    public let client: ClientID?
    /// The way it was added.
    public let way: Way
    /// The time of the addition, in whole seconds.
    public let added: Date

    /// Describes an addition.
    public init(_ addition: Addition, of subject: Subject, client: ClientID?, by way: Way, added: Date) {
        self.addition = addition
        self.subject = subject
        self.client = client
        self.way = way
        self.added = Date(timeIntervalSince1970: added.timeIntervalSince1970.rounded(.down))
    }
}

extension NewDevice: Codable {
    private enum Kind: String, Codable {
        case signIn = "sign_in"
        case device
    }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case id
        case subject = "sub"
        case client = "client_id"
        case way
        case added = "time"
    }

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let id = try members.decode(String.self, forKey: .id)
        let way = try members.decode(String.self, forKey: .way)
        guard let known = Way(rawValue: way) else {
            throw DecodingError.dataCorruptedError(forKey: .way, in: members, debugDescription: "unknown: \(way)")
        }
        let addition: Addition =
            switch try members.decode(Kind.self, forKey: .kind) {
            case .signIn: .signIn(Grant.ID(id))
            case .device: .device(DeviceRegistration.ID(id))
            }
        self.init(
            addition,
            of: Subject(rawValue: try members.decode(String.self, forKey: .subject)),
            client: try members.decodeIfPresent(String.self, forKey: .client).map { ClientID(rawValue: $0) },
            by: known,
            added: Date(named: try members.decode(Int.self, forKey: .added))
        )
    }

    /// Writes the members of the webhook's token.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(kind, forKey: .kind)
        try members.encode(id, forKey: .id)
        try members.encode(subject.rawValue, forKey: .subject)
        try members.encodeIfPresent(client?.rawValue, forKey: .client)
        try members.encode(way.rawValue, forKey: .way)
        try members.encode(Int(added.timeIntervalSince1970), forKey: .added)
    }

    private var kind: Kind {
        switch addition {
        case .signIn: .signIn
        case .device: .device
        }
    }

    private var id: String {
        switch addition {
        case .signIn(let id): id.rawValue
        case .device(let id): id.rawValue
        }
    }
}
