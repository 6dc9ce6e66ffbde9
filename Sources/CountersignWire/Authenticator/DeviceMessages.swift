/// The status of a device's registration.
public enum RegistrationStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// No telephone number is proved.
    case unverified
    /// A code was sent to the number that was named.
    case pending
    /// The number is proved.
    case verified
}

/// The description that a device gives of itself when it registers, and the members to change.
///
/// Members that are omitted stay as they are. The names are those of CM Authenticator SDK 4.0.
public struct DeviceDetails: Sendable, Equatable, Codable, Redacted {
    /// The maker of the device, such as `Apple`.
    @ShortTextMember public var manufacturer: String?
    /// The version of its system.
    @ShortTextMember public var systemVersion: String?
    /// The version of the app.
    @ShortTextMember public var appVersion: String?
    /// The identifier of the app, such as `com.example.bank`.
    @ShortTextMember public var appID: String?
    /// The language of its person, such as `en`.
    @ShortTextMember public var languageCode: String?
    /// Its model, as people know it.
    @ShortTextMember public var model: String?
    /// Its model, as the maker numbers it.
    @ShortTextMember public var modelID: String?
    /// The kind of system, such as `iOS`.
    @ShortTextMember public var platform: String?
    /// The key that the operator gave to the app.
    @ShortTextMember public var appKey: String?
    /// The address for push messages, in small hexadecimal digits or as the push service wrote it.
    @Member<PushTokenForm?> public var pushToken: String?
    /// The address for push messages at a service of UnifiedPush or Web Push, in place of ``pushToken``. This is an
    /// addition of Countersign.
    public var pushSubscription: WebPushSubscription?
    /// Whether the person allows push messages.
    public var isPushEnabled: Bool?
    /// Whether the app was made for development, so that its push messages go to the sandbox.
    public var isDevelopment: Bool?
    /// The telephone number that the person typed.
    @ShortTextMember public var phoneNumber: String?
    /// The code that the person received.
    @ShortTextMember public var verificationCode: String?
    /// Proves the key that signs the device's answers, see ``UnverifiedDeviceKeyProof``. This is an addition of
    /// Countersign; the legacy protocol has no keys.
    @Member<KeyProofForm?> public var keyProof: String?
    /// The person's name for the device; an empty text removes it. This is an addition of Countersign.
    @ShortTextMember public var name: String?

    /// Empty details.
    public init() {}

    /// The longest value of each member that is read, in bytes; a push token may have four times as many.
    public static let longest = 1024

    enum CodingKeys: String, SnakeCaseKey {
        case manufacturer, model, platform, name, appVersion, appID, languageCode, modelID, appKey, pushToken,
            pushSubscription, phoneNumber, verificationCode, keyProof
        case systemVersion = "os_version"
        case isPushEnabled = "push_enabled"
        case isDevelopment = "development"
    }

    /// The text for a push token that the system gave as bytes: two small hexadecimal digits for each.
    ///
    /// - Parameter bytes: The token.
    public static func pushToken(of bytes: some Sequence<UInt8>) -> String { HexadecimalText.encode(bytes) }
}

/// The form of a text of limited length.
public protocol BoundedTextForm: MemberForm where Value == String {
    /// The longest text, in bytes.
    static var longest: Int { get }
    /// Whether a text of allowed length is read; by default every one is.
    ///
    /// - Parameter text: The value of the member, not yet limited in its characters.
    static func accepts(_ text: String) -> Bool
}

extension BoundedTextForm {
    /// Returns `true`: most members have no form besides their length.
    ///
    /// - Parameter text: The value of the member.
    public static func accepts(_ text: String) -> Bool { true }

    public static func read(from decoder: any Decoder) throws -> String {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard text.utf8.count <= longest, accepts(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "too long, or of another form")
        }
        return text
    }
}

/// The form of most texts that a device sends.
public enum ShortTextForm: BoundedTextForm {
    /// The same as ``DeviceDetails/longest``.
    public static var longest: Int { DeviceDetails.longest }
}

/// The form of a token for push messages; none begins with a brace, which is left to subscriptions.
public enum PushTokenForm: BoundedTextForm {
    /// Four times ``DeviceDetails/longest``.
    public static var longest: Int { 4 * DeviceDetails.longest }
    /// Whether a text is no JSON.
    ///
    /// - Parameter text: The token.
    public static func accepts(_ text: String) -> Bool { !text.hasPrefix("{") }
}

/// The form of a proof of a device's key.
public enum KeyProofForm: BoundedTextForm {
    /// The same as ``UnverifiedDeviceKeyProof/longest``.
    public static var longest: Int { UnverifiedDeviceKeyProof.longest }
}

/// A text that a device sends, which may be omitted.
public typealias ShortTextMember = Member<ShortTextForm?>

/// The state of a device, as the service answers it.
public struct DeviceRegistration: Sendable, Equatable, Codable {
    /// Identifies a device at the service.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The device.
    public var id: ID
    /// The status of its registration.
    public var status: RegistrationStatus
    /// Whether it gets push messages.
    @Member<FlagForm> public var isPushEnabled: Bool
    /// Whether its push messages go to the sandbox.
    @Member<FlagForm> public var isDevelopment: Bool
    /// Its telephone number; `nil` when there is none.
    public var phoneNumber: String?
    /// Its address for push messages; `nil` when there is none.
    public var pushToken: String?
    /// The server's public key for Web Push, which an app names to its push service when it subscribes (VAPID); `nil`
    /// when the server sends no such messages. This is an addition of Countersign.
    ///
    /// Standard: RFC 8292 §3.2 (`k`).
    public var webPushKey: String?

    /// Describes a device.
    public init(id: ID, status: RegistrationStatus, isPushEnabled: Bool, isDevelopment: Bool) {
        self.id = id
        self.status = status
        self.isPushEnabled = isPushEnabled
        self.isDevelopment = isDevelopment
    }

    enum CodingKeys: String, SnakeCaseKey {
        case id, phoneNumber, pushToken, webPushKey
        case status = "registration_status"
        case isPushEnabled = "push_enabled"
        case isDevelopment = "development"
    }
}

/// The form of a truth value; one that is omitted is `false`.
public enum FlagForm: MemberForm {
    public typealias Value = Bool
    /// `false`.
    public static var missing: Bool? { false }
}

/// A site in the list of a device's registrations.
public struct CustomerSiteListing: Sendable, Hashable, Codable {
    /// The site.
    public var id: CustomerSiteID
    /// Its name, as its customer wrote it.
    public var name: String
    /// The address of its picture; `nil` for none.
    public var iconURL: String?

    /// Describes a site.
    public init(id: CustomerSiteID, name: String, iconURL: String? = nil) {
        self.id = id
        self.name = name
        self.iconURL = iconURL
    }

    enum CodingKeys: String, SnakeCaseKey { case id, name, iconURL }
}

/// The form of all errors of the legacy protocol.
///
/// `401` is a wrong identifier or secret, `410` a request that has expired.
package struct AuthenticatorError: Error, Sendable, Equatable, Codable {
    /// The status of HTTP, once more.
    package var status: Int
    /// The error, as a sentence for people who debug.
    package var message: String

    package init(status: Int, message: String) {
        self.status = status
        self.message = message
    }
}
