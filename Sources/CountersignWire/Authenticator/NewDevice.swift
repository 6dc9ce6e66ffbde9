public import FoundationEssentialsCompat

/// The webhook notification of a signed-in screen or app, or an added device: identifiers only, no token and no code.
public struct NewDevice: Sendable, Equatable, Codable {
    /// A new sign-in or device.
    public enum Addition: Sendable, Equatable {
        /// A screen or app was signed in; its tokens carry this identifier.
        case signIn(Grant.ID)
        /// A device was added that answers requests for the person.
        case device(DeviceRegistration.ID)
    }

    /// The way a sign-in or device was added.
    public enum Way: String, Sendable, Hashable, Codable, CaseIterable {
        /// A person typed the code that the screen shows.
        case code
        /// A person came by the link or QR code of the screen.
        case link
        /// The phone of a person nearby.
        case nearby
        /// A browser led back to the requesting app.
        case browser
        /// The provider's own app led back to the requesting app.
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
        /// A legacy device proved the telephone number of the person.
        case phoneNumber = "phone_number"
    }

    private enum Kind: String, Codable {
        case signIn = "sign_in"
        case device
    }

    private let kind: Kind
    private let id: String
    /// The new sign-in or device.
    public var addition: Addition {
        switch kind {
        case .signIn: .signIn(Grant.ID(id))
        case .device: .device(DeviceRegistration.ID(id))
        }
    }
    /// The person.
    public let subject: Subject
    /// The client that was signed in; `nil` for a device that has no sign-in.
    public let client: ClientID?
    /// The way it was added.
    public let way: Way
    /// The time of the addition, in whole seconds.
    @Member<WholeInstant> public private(set) var added: Date

    /// Describes an addition.
    public init(_ addition: Addition, of subject: Subject, client: ClientID?, by way: Way, added: Date) {
        switch addition {
        case .signIn(let signIn): (kind, id) = (.signIn, signIn.rawValue)
        case .device(let device): (kind, id) = (.device, device.rawValue)
        }
        self.subject = subject
        self.client = client
        self.way = way
        self.added = Date(timeIntervalSince1970: added.timeIntervalSince1970.rounded(.down))
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case id, way
        case kind = "event"
        case subject = "sub"
        case client = "client_id"
        case added = "time"
    }
}
